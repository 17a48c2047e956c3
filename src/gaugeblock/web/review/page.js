// Shows the samples of a pack one by one and sends the scores. All text is set as text, never as
// HTML: notes and names are other people's. See docs/review.md.
"use strict";
(async () => {
  const byId = (id) => document.getElementById(id);
  const { served, criteria, anchors, highest, longest, pack } = JSON.parse(byId("data").textContent);
  const samples = pack.samples, saved = new Map(), drafts = new Map();
  let at = 0, busy = false, unread = "";

  function made(tag, values = {}, ...inside) {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...inside);
    return element;
  }
  const folder = (sample) => "samples/" + (served ? sample.number : String(sample.number).padStart(3, "0"));

  // What does not change with the sample.
  byId("reviewer").maxLength = longest.reviewer;
  byId("notes").maxLength = longest.notes;
  for (const [score, words] of Object.entries(anchors)) {
    byId("anchors").append(made("b", { textContent: score }), made("span", { textContent: words }));
  }
  for (const [name, words] of Object.entries(criteria)) {
    const scale = made("div", { className: "scale" });
    for (let score = 0; score <= highest; score++) {
      const input = made("input", { type: "radio", name, value: String(score), required: true });
      if (anchors[score]) input.setAttribute("aria-label", `${score}: ${anchors[score]}`);
      const label = made("label", { title: anchors[score] || "" }, input, String(score));
      label.classList.toggle("anchor", score in anchors);
      scale.append(label);
    }
    byId("criteria").append(
      made("fieldset", { className: "criterion", id: "criterion-" + name }, made("legend", { textContent: words }), scale));
  }
  samples.forEach((sample, place) => {
    const button = made("button", { type: "button", textContent: String(sample.number) });
    button.addEventListener("click", () => show(place));
    byId("numbers").append(button);
  });

  const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`);
  function written() {
    const scores = {};
    for (const name of Object.keys(criteria)) if (chosen(name)) scores[name] = Number(chosen(name).value);
    return { scores, notes: byId("notes").value };
  }
  function fill({ scores, notes }) {
    for (const input of document.querySelectorAll(".scale input")) {
      input.checked = scores[input.name] === Number(input.value);
    }
    for (const field of document.querySelectorAll(".criterion")) field.classList.remove("missing");
    byId("notes").value = notes;
  }
  const same = (one, other) => one.notes === other.notes
    && Object.keys(criteria).every((name) => one.scores[name] === other.scores[name]);
  const stored = (number) => saved.get(number) || { scores: {}, notes: "" };
  const keep = () => {
    const now = written(), { number } = samples[at];
    if (same(now, stored(number))) drafts.delete(number);
    else drafts.set(number, now);
  };

  function tell(words, wrong = false) {
    byId("told").textContent = words;
    byId("told").classList.toggle("wrong", wrong);
  }
  function count() {
    const places = [...byId("numbers").children];
    samples.forEach((sample, place) => {
      const done = saved.has(sample.number);
      places[place].classList.toggle("done", done);
      places[place].setAttribute("aria-label", `Sample ${sample.number}${done ? ", reviewed" : ""}`);
      if (place === at) places[place].setAttribute("aria-current", "true");
      else places[place].removeAttribute("aria-current");
    });
    byId("progress").textContent = served ? `${saved.size} of ${samples.length} reviewed` : `${samples.length} samples`;
    byId("back").disabled = at === 0;
    byId("on").disabled = at === samples.length - 1;
  }

  const TITLES = { front: "Front", right: "Right", iso: "Isometric" };
  function show(place) {
    if (busy) return;
    keep();
    at = place;
    const sample = samples[at], where = folder(sample);
    byId("which").textContent = `Sample ${sample.number}`;
    byId("brief").textContent = pack.briefs[sample.brief];
    const turn = made("iframe", { src: `${where}/turntable.html`, title: `Sample ${sample.number} in 3-D` });
    turn.setAttribute("sandbox", "allow-scripts");
    byId("views").replaceChildren(
      made("figure", { className: "turn" }, made("figcaption", { textContent: "3-D: drag, or arrow keys" }), turn),
      ...sample.views.map(({ name }) => {
        const address = `${where}/${name}.png`;
        const image = made("img", { src: address, alt: `Sample ${sample.number}, ${TITLES[name].toLowerCase()} view` });
        const link = made("a", { href: address, target: "_blank", rel: "noopener", title: "Full size" }, image);
        return made("figure", {}, made("figcaption", { textContent: TITLES[name] }), link);
      }));
    byId("remarks").replaceChildren(...sample.notes.map((note) => made("li", { textContent: note })));
    fill(drafts.get(sample.number) || stored(sample.number));
    tell(drafts.has(sample.number) ? "Not saved yet." : "");
    count();
  }

  function wanting() {
    const missing = Object.keys(criteria).filter((name) => !chosen(name));
    for (const name of Object.keys(criteria)) {
      byId("criterion-" + name).classList.toggle("missing", missing.includes(name));
    }
    if (!byId("reviewer").value.trim()) return ["Give your name first.", byId("reviewer")];
    if (missing.length) {
      return ["Not scored yet: " + missing.map((name) => criteria[name]).join("; "),
        document.querySelector(`input[name="${missing[0]}"]`)];
    }
    return null;
  }

  async function save() {
    if (busy || !served) return;
    const wants = wanting();
    if (wants) {
      tell(wants[0], true);
      wants[1].focus();
      return;
    }
    const { number } = samples[at], now = written(), before = saved.get(number) || null;
    busy = true;
    byId("save").disabled = true;
    try {
      const answer = await fetch(`reviews/${number}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ reviewer: byId("reviewer").value, method: byId("method").value, before, ...now }),
      });
      const said = await answer.json().catch(() => ({ error: `not saved (${answer.status})` }));
      if (said.stored) saved.set(number, said.stored); // of another window: told, then replaced
      if (!answer.ok) throw new Error(said.error);
      saved.set(number, { scores: said.scores, notes: said.notes });
      if (same(written(), now)) fill(stored(number));
      drafts.delete(number);
    } catch (error) {
      tell(error instanceof TypeError ? "Not saved: the server does not answer." : error.message, true);
      return;
    } finally {
      busy = false;
      byId("save").disabled = false;
    }
    const open = [...samples.keys()].map((step) => (at + 1 + step) % samples.length)
      .find((place) => !saved.has(samples[place].number));
    if (open === undefined) {
      count();
      tell("Saved. Every sample is reviewed.");
    } else {
      show(open);
      tell(`Sample ${number} is saved.`);
      document.querySelector(".scale input").focus();
      window.scrollTo(0, 0);
    }
  }

  byId("criteria").addEventListener("input", (event) => {
    event.target.closest(".criterion").classList.remove("missing");
  });
  byId("form").addEventListener("submit", (event) => { event.preventDefault(); save(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(); }
  });
  byId("back").addEventListener("click", () => show(at - 1));
  byId("on").addEventListener("click", () => show(at + 1));
  window.addEventListener("beforeunload", (event) => {
    keep();
    if (drafts.size) event.preventDefault();
  });

  if (served) {
    try {
      const answer = await fetch("reviews"), said = await answer.json();
      if (!answer.ok) throw new Error(said.error);
      for (const review of said) {
        saved.set(review.sample, { scores: review.scores, notes: review.notes });
        byId("reviewer").value = review.reviewer;
        byId("method").value = review.method;
      }
    } catch (error) {
      unread = `What was saved before could not be read: ${error.message}`;
    }
  } else {
    byId("look-only").hidden = false;
    byId("fields").hidden = true; // the numbers above lead through the samples
  }
  fill(stored(samples[0].number));
  show(0);
  if (unread) tell(unread, true);
})();
