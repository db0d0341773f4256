// Sorts the rows of a table by the column whose heading is pressed: upwards, downwards, and back to the order of the
// file. Entries that carry a number are compared by it, others as words; those without a number come last either way.
"use strict";
(() => {
  const words = new Intl.Collator("en", { numeric: true });

  const compare = (a, b, sign) => {
    const [x, y] = [a.dataset.order, b.dataset.order];
    if (x !== undefined && y !== undefined) return sign * (Number(x) - Number(y));
    if (x !== undefined || y !== undefined) return x === undefined ? 1 : -1;
    return sign * words.compare(a.textContent, b.textContent);
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const headings = [...table.tHead.rows[0].cells];
    headings.forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const next = { ascending: "descending", descending: "" }[heading.ariaSort] ?? "ascending";
        for (const other of headings) other.removeAttribute("aria-sort");
        if (next) heading.setAttribute("aria-sort", next);
        const sign = next === "descending" ? -1 : 1;
        const rows = next ? [...original].sort((a, b) => compare(a.cells[column], b.cells[column], sign)) : original;
        table.classList.toggle("sorted", next !== "");
        body.append(...rows);
      });
    });
  }
})();
