// The 3-D view of a difference page: raw WebGL 2, no library, nothing from the network.
// Orthographic, turned about Z like a turntable. See docs/diff.md.
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const stage = byId("stage"), canvas = byId("view"), marks = byId("marks");
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: true });
  if (!gl) {
    byId("controls").hidden = true;
    return;
  }
  const scene = JSON.parse(byId("scene").textContent);
  const text = atob(byId("data").textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);

  const SURFACE = `#version 300 es
    layout(location = 0) in vec3 place; layout(location = 1) in vec3 normal;
    uniform vec3 low, size, middle, scale; uniform float lift; uniform mat3 turn; out vec3 toward;
    void main() {
      vec3 seen = turn * (low + place * size - middle);
      toward = turn * normal;
      gl_Position = vec4(seen * scale - vec3(0.0, 0.0, lift), 1.0);
    }`;
  const SHADED = `#version 300 es
    precision highp float; in vec3 toward; uniform vec4 ink; out vec4 colour;
    void main() {
      vec3 n = normalize(toward); if (!gl_FrontFacing) n = -n;
      float lit = 0.5 + 0.5 * max(dot(n, normalize(vec3(-0.35, 0.55, 0.76))), 0.0);
      colour = vec4(ink.rgb * (0.25 + 0.75 * lit), ink.a);
    }`;
  const PLAIN = `#version 300 es
    precision highp float; uniform vec4 ink; out vec4 colour; void main() { colour = ink; }`;

  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const places = {};
    for (const name of ["low", "size", "middle", "scale", "lift", "turn", "ink"]) {
      places[name] = gl.getUniformLocation(made, name);
    }
    return { made, places };
  }
  const shaded = program(SURFACE, SHADED), plain = program(SURFACE, PLAIN);

  // Nodes: three 16-bit places within the box and one spare, then a normal in three bytes and a spare.
  function body(entry, stride) {
    const vao = gl.createVertexArray();
    gl.bindVertexArray(vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const nodes = bytes.subarray(entry.nodes[0], entry.nodes[0] + entry.nodes[1] * stride);
    gl.bufferData(gl.ARRAY_BUFFER, nodes, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.UNSIGNED_SHORT, true, stride, 0);
    if (entry.indices) {
      gl.enableVertexAttribArray(1);
      gl.vertexAttribPointer(1, 3, gl.BYTE, true, stride, 8);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
      const start = entry.indices[0];
      gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, bytes.subarray(start, start + entry.indices[1] * 4), gl.STATIC_DRAW);
    }
    return { vao, count: entry.indices ? entry.indices[1] : entry.nodes[1] };
  }
  const layers = Object.entries(scene.layers).map(([name, entry]) => ({
    name, box: byId("layer-" + name), ink: entry.ink, solid: entry.solid, ...body(entry, 12),
  }));
  const edges = Object.entries(scene.edges).map(([name, entry]) => ({
    name, ink: entry.ink, with: entry.with, ...body(entry, 8),
  }));

  const low = scene.low, size = scene.high.map((v, i) => Math.max(v - low[i], 1e-9));
  const middle = low.map((v, i) => v + size[i] / 2);
  const reach = Math.hypot(...size) / 2;
  const VIEWS = { front: [-90, 0], right: [0, 0], top: [-90, 90], iso: [-45, 35.264] };
  const camera = { yaw: 0, pitch: 0, zoom: 1, centre: middle.slice() };

  function basis() {
    const y = camera.yaw * Math.PI / 180, p = camera.pitch * Math.PI / 180;
    const near = [Math.cos(p) * Math.cos(y), Math.cos(p) * Math.sin(y), Math.sin(p)];
    const right = [-Math.sin(y), Math.cos(y), 0];
    const up = [0, 1, 2].map((i) => near[(i + 1) % 3] * right[(i + 2) % 3] - near[(i + 2) % 3] * right[(i + 1) % 3]);
    return [right, up, near];
  }
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const pixelsPerMm = () => camera.zoom;

  // The fixed view that is shown, until the reader turns, moves or zooms it: it keeps fitting.
  let fixed = null;
  function show(name) {
    fixed = name;
    [camera.yaw, camera.pitch] = VIEWS[name];
    camera.centre = middle.slice();
    const [right, up] = basis();
    const across = dot(right.map(Math.abs), size), tall = dot(up.map(Math.abs), size);
    camera.zoom = 0.84 * Math.min(canvas.clientWidth / across, canvas.clientHeight / tall);
    draw();
  }

  let waiting = false;
  function draw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; paint(); });
  }

  function fit(target, ratio) {
    const w = Math.round(target.clientWidth * ratio), h = Math.round(target.clientHeight * ratio);
    if (target.width !== w || target.height !== h) { target.width = w; target.height = h; }
  }

  function use(tool, rows) {
    gl.useProgram(tool.made);
    gl.uniform3fv(tool.places.low, low);
    gl.uniform3fv(tool.places.size, size);
    gl.uniform3fv(tool.places.middle, camera.centre);
    gl.uniformMatrix3fv(tool.places.turn, true, rows.flat());
    const s = 2 * pixelsPerMm();
    const off = Math.hypot(...camera.centre.map((v, i) => v - middle[i]));
    gl.uniform3f(tool.places.scale, s / canvas.clientWidth, s / canvas.clientHeight, -1 / (1.01 * (reach + off)));
    return tool;
  }

  function paint() {
    const ratio = window.devicePixelRatio || 1;
    fit(canvas, ratio);
    fit(marks, ratio);
    const rows = basis(), opacity = byId("opacity").value / 100;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.depthMask(true);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    const on = layers.filter((layer) => layer.box.checked && layer.count);
    const solid = on.filter((layer) => layer.solid || opacity > 0.99);
    const veils = on.filter((layer) => !solid.includes(layer));
    const fill = (layer, alpha) => {
      const tool = use(shaded, rows);
      gl.uniform4f(tool.places.ink, ...layer.ink, alpha);
      gl.bindVertexArray(layer.vao);
      gl.drawElements(gl.TRIANGLES, layer.count, gl.UNSIGNED_INT, 0);
    };
    const depthOnly = (some, fresh) => {
      if (fresh) gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.colorMask(false, false, false, false);
      for (const layer of some) fill(layer, 1);
      gl.colorMask(true, true, true, true);
    };
    for (const layer of solid) fill(layer, 1);
    gl.depthMask(false);
    lines(rows, on, 0.25);
    gl.depthMask(true);
    // Of each veil only the nearest surface, whatever the other veils are: no sorting needed.
    for (const veil of veils) {
      depthOnly([...solid, veil], true);
      fill(veil, opacity);
    }
    depthOnly(on, true);
    lines(rows, on, 0.9);
    annotate(rows, ratio);
  }

  function lines(rows, on, alpha) {
    if (!byId("edges").checked) return;
    const tool = use(plain, rows);
    gl.uniform1f(tool.places.lift, 0.003);
    const names = on.map((layer) => layer.name);
    for (const edge of edges) {
      if (!edge.count || !edge.with.some((name) => names.includes(name))) continue;
      gl.uniform4f(tool.places.ink, ...edge.ink, alpha);
      gl.bindVertexArray(edge.vao);
      gl.drawArrays(gl.LINES, 0, edge.count);
    }
  }

  function annotate(rows, ratio) {
    const pen = marks.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, marks.clientWidth, marks.clientHeight);
    pen.strokeStyle = pen.fillStyle = "#282c34";
    pen.lineWidth = 1.6;
    pen.font = "13px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const x = 56, y = marks.clientHeight - 56;
    ["X", "Y", "Z"].forEach((letter, i) => {
      const dx = rows[0][i], dy = -rows[1][i];
      if (Math.hypot(dx, dy) < 0.15) return;
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + dx * 32, y + dy * 32);
      pen.stroke();
      pen.fillText(letter, x + dx * 42, y + dy * 42);
    });
    const longest = marks.clientWidth * 0.2 / pixelsPerMm();
    const power = 10 ** Math.floor(Math.log10(longest));
    const length = [5, 2, 1].map((step) => step * power).find((step) => step <= longest) || power;
    const wide = length * pixelsPerMm(), right = marks.clientWidth - 24, base = marks.clientHeight - 24;
    pen.beginPath();
    pen.moveTo(right - wide, base - 6); pen.lineTo(right - wide, base);
    pen.lineTo(right, base); pen.lineTo(right, base - 6);
    pen.stroke();
    pen.fillText(Number(length.toPrecision(1)) + " mm", right - wide / 2, base - 14);
  }

  const fingers = new Map();
  function pan(dx, dy) {
    const [right, up] = basis(), k = 1 / pixelsPerMm();
    camera.centre = camera.centre.map((v, i) => v - right[i] * dx * k + up[i] * dy * k);
  }
  function zoom(factor, x, y) {
    const dx = x - canvas.clientWidth / 2, dy = y - canvas.clientHeight / 2;
    pan(-dx, -dy);
    camera.zoom = Math.min(Math.max(camera.zoom * factor, 1 / reach), 1e5 / reach);
    pan(dx, dy);
  }
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.offsetX, event.offsetY]);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  }
  canvas.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    fixed = null;
    const now = [event.offsetX, event.offsetY], dx = now[0] - last[0], dy = now[1] - last[1];
    if (fingers.size === 2) {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const before = Math.hypot(last[0] - other[0], last[1] - other[1]);
      const after = Math.hypot(now[0] - other[0], now[1] - other[1]);
      pan(dx / 2, dy / 2);
      if (before > 0) zoom(after / before, (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
    } else if (event.shiftKey || event.buttons & 6) {
      pan(dx, dy);
    } else {
      camera.yaw -= dx * 0.4;
      camera.pitch = Math.max(-90, Math.min(90, camera.pitch + dy * 0.4));
    }
    fingers.set(event.pointerId, now);
    draw();
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    fixed = null;
    zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 200) * 0.0015), event.offsetX, event.offsetY);
    draw();
  }, { passive: false });
  // By keyboard: arrows turn, with shift they move; plus and minus zoom.
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (event) => {
    const way = ARROWS[event.key], scale = { "+": 1.2, "=": 1.2, "-": 1 / 1.2 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !(way || scale)) return;
    event.preventDefault();
    fixed = null;
    if (scale) zoom(scale, canvas.clientWidth / 2, canvas.clientHeight / 2);
    else if (event.shiftKey) pan(way[0] * 24, way[1] * 24);
    else {
      camera.yaw -= way[0] * 6;
      camera.pitch = Math.max(-90, Math.min(90, camera.pitch + way[1] * 6));
    }
    draw();
  });
  byId("views").addEventListener("click", (event) => event.target.dataset.view && show(event.target.dataset.view));
  byId("controls").addEventListener("input", draw);
  new ResizeObserver(() => fixed ? show(fixed) : draw()).observe(stage);
  canvas.addEventListener("webglcontextlost", () => {
    stage.classList.remove("live");
    byId("controls").hidden = true;
  });
  stage.classList.add("live");
  show("iso");
})();
