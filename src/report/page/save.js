// Files from the page: each table as comma-separated values with all its digits, and each chart as SVG.
// They are made from what the page shows, so that a page that was mailed has them too.
(() => {
  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };

  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  // Columns whose cells have intervals become three: the estimate and both ends.
  const separated = (table) => {
    const rows = [...table.tBodies[0].rows].map((row) => [...row.cells]);
    const lines = rows.map(() => []);
    const names = [];
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const name = heading.dataset.name || heading.textContent;
      const cells = rows.map((row) => row[column]);
      names.push(name);
      cells.forEach((cell, row) => lines[row].push(cell.dataset.order ?? cell.textContent.replace(/^–$/, "")));
      if (cells.some((cell) => cell.dataset.ends)) {
        names.push(`${name}_low`, `${name}_high`);
        cells.forEach((cell, row) => lines[row].push(...(cell.dataset.ends ?? " ").split(" ")));
      }
    });
    return [names, ...lines].map((line) => line.map(quoted).join(",") + "\n").join("");
  };

  // Colours of the page are variables, of which the second part is the colour on paper.
  const drawn = (figure) =>
    new XMLSerializer().serializeToString(figure.querySelector("svg")).replaceAll(/var\([^,]*,([^)]*)\)/g, "$1");

  const offer = (place, label, act) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "save";
    button.textContent = label;
    button.addEventListener("click", act);
    place.append(button);
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    const name = (table.closest("[id]")?.id || "table") + ".csv";
    offer(table.caption, "CSV", () => save(name, "text/csv", separated(table)));
  }
  for (const figure of document.querySelectorAll("figure")) {
    const name = figure.id.replace("chart-", "") + ".svg";
    offer(figure.querySelector("figcaption"), "SVG", () => save(name, "image/svg+xml", drawn(figure)));
  }
})();
