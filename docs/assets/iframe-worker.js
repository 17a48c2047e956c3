// A page opened from a folder (file://) may start no Worker, and the search runs in one. There,
// a Worker is a hidden frame that runs the same script and passes the same messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      this.inside = frame.contentWindow
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }))
      const script = this.inside.document.createElement("script")
      script.src = url
      script.onerror = () => this.dispatchEvent(new ErrorEvent("error", { message: `no ${url}` }))
      this.loaded = new Promise((done) => (script.onload = done))
      this.inside.document.body.appendChild(script)
    }

    postMessage(data) {
      this.loaded.then(() => this.tell(data))
    }

    tell(data) {
      this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }))
    }
  }
}
