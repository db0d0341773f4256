// Zooming with the wheel or + and -, panning by dragging or with arrows; 0 or a double click shows all. One slider goes
// through a tree in time, another through numbers of processors.
"use strict";
(() => {
  const timeline = section => {
    const [plot, area, bars] = [".plot", ".area", ".bars"].map(name => section.querySelector(name));
    const ticks = [...section.querySelectorAll(".axis text")];
    const [, , all, height] = bars.getAttribute("viewBox").split(" ").map(Number);
    const time = Number(bars.dataset.time);
    let [from, width] = [0, all];
    const show = () => {
      width = Math.min(all, Math.max(all / 2000, width));
      from = Math.min(all - width, Math.max(0, from));
      bars.setAttribute("viewBox", `${from} 0 ${width} ${height}`);
      const step = width / all * time / (ticks.length - 1);
      const digits = Math.max(0, 2 - Math.floor(Math.log10(step)));
      ticks.forEach((tick, i) => tick.textContent = (from / all * time + i * step).toFixed(digits));
    };
    const zoom = (factor, at) => {
      const before = width;
      width = Math.min(all, Math.max(all / 2000, width * factor));
      from += (before - width) * at;
      show();
    };
    const share = pixels => pixels / area.getBoundingClientRect().width;
    const place = event => share(event.clientX - area.getBoundingClientRect().left);
    plot.addEventListener("wheel", event => {
      event.preventDefault();
      zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.002)), place(event));
    }, { passive: false });
    plot.addEventListener("pointerdown", event => {
      if (event.button) return;
      let last = event.clientX;
      const move = event => {
        from -= share(event.clientX - last) * width;
        last = event.clientX;
        show();
      };
      const end = () => {
        removeEventListener("pointermove", move);
        for (const name of ["pointerup", "pointercancel"]) removeEventListener(name, end);
      };
      addEventListener("pointermove", move);
      for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end);
      event.preventDefault();
    });
    const reset = () => {
      [from, width] = [0, all];
      show();
    };
    plot.addEventListener("dblclick", reset);
    const pan = by => {
      from += by * width;
      show();
    };
    const moment = section.querySelector(".moment");
    const nodes = [...section.querySelectorAll(".tree [data-from]")];
    const ring = () => {
      const at = Number(moment.value);
      for (const node of nodes) {
        const [from, to] = [Number(node.dataset.from), Number(node.dataset.to)];
        node.classList.toggle("later", from > at);
        node.classList.toggle("now", from <= at && at < to);
      }
      section.querySelector(".at").textContent = `${(at / 1000).toFixed(1)} µs`;
    };
    if (moment) {
      moment.addEventListener("input", ring);
      ring();
    }
    return {
      "+": () => zoom(0.5, 0.5), "=": () => zoom(0.5, 0.5), "-": () => zoom(2, 0.5), 0: reset,
      ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2),
    };
  };
  const sections = [...document.querySelectorAll("section")];
  const keys = sections.map(timeline);
  let seen = sections.length - 1;
  const see = place => {
    seen = place;
    sections.forEach((section, i) => section.hidden = i !== place);
  };
  see(seen);
  const processors = document.getElementById("processors");
  // A browser may have kept the place of a slider from before.
  const choose = () => {
    see(Number(processors.value));
    document.getElementById("shown").textContent = processors.dataset.names.split(" ")[seen];
  };
  if (processors) {
    processors.addEventListener("input", choose);
    choose();
  }
  addEventListener("keydown", event => {
    // A slider has the arrows for itself.
    if (event.target instanceof HTMLInputElement) return;
    const act = keys[seen][event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
})();
