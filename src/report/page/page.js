// Sorting of tables by their headings, opening of what the address names, and hiding of curves by their names.
"use strict";
(() => {
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
  for (const part of document.querySelectorAll("details.part")) {
    part.addEventListener("toggle", () => {
      if (part.open && location.hash !== "#" + part.id) history.replaceState(null, "", "#" + part.id);
    });
  }
  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    for (const [column, heading] of [...table.tHead.rows[0].cells].entries()) {
      const sort = () => {
        const falls = heading.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", falls > 0 ? "ascending" : "descending");
        const key = row => row.cells[column].dataset.order;
        const rows = [...body.rows].sort((one, other) => {
          const [a, b] = [key(one), key(other)];
          if (a === undefined && b === undefined) {
            return falls * one.cells[column].textContent.localeCompare(other.cells[column].textContent);
          }
          if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
          return falls * (Number(a) - Number(b));
        });
        body.append(...rows);
      };
      heading.tabIndex = 0;
      heading.addEventListener("click", sort);
      heading.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
    }
  }
  for (const figure of document.querySelectorAll("figure")) {
    const names = new Set([...figure.querySelectorAll("[data-curve]")].map(one => one.dataset.curve));
    if (names.size < 2 || names.size > 8) continue;
    const chips = document.createElement("p");
    chips.className = "chips";
    for (const name of names) {
      const chip = document.createElement("button");
      chip.type = "button";
      chip.textContent = name;
      chip.setAttribute("aria-pressed", "true");
      chip.addEventListener("click", () => {
        const shown = chip.getAttribute("aria-pressed") !== "true";
        chip.setAttribute("aria-pressed", String(shown));
        for (const one of figure.querySelectorAll("[data-curve]")) {
          if (one.dataset.curve === name) one.style.display = shown ? "" : "none";
        }
      });
      chips.append(chip);
    }
    figure.prepend(chips);
  }
})();
