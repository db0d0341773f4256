// Sorting and filtering of tables, opening of what the address names, hiding of curves by their names, the curve of a
// row at which the pointer is, the values of points by pointer, touch and keyboard, and saving of pictures and tables.
"use strict";
(() => {
  const save = (address, name) => {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
  };
  // Buttons that save what they stand below, one for each kind of file.
  const savers = kinds => {
    const buttons = document.createElement("p");
    buttons.className = "chips save";
    buttons.append("Save as:");
    for (const [words, act] of kinds) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = words;
      button.addEventListener("click", act);
      buttons.append(button);
    }
    return buttons;
  };
  const open = () => {
    const target = document.getElementById(location.hash.slice(1));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();
  // On a click, not whenever a part opens: a page that names a part in its address begins there.
  for (const part of document.querySelectorAll("details.part")) {
    part.firstElementChild.addEventListener("click", () => {
      if (!part.open) history.replaceState(null, "", "#" + part.id);
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
      const button = document.createElement("button");
      button.className = "sort";
      button.append(...heading.childNodes);
      button.addEventListener("click", sort);
      heading.append(button);
    }
  }
  // Chips that switch between the values of a column, such as numbers of processors or depths.
  const chipsOf = (values, choose) => {
    const chips = document.createElement("p");
    chips.className = "chips";
    for (const value of values) {
      const chip = document.createElement("button");
      chip.type = "button";
      chip.textContent = value;
      chip.setAttribute("aria-pressed", "true");
      chip.addEventListener("click", () => choose(value, chip, chips));
      chips.append(chip);
    }
    return chips;
  };
  for (const table of document.querySelectorAll("table")) {
    const rows = table.tHead ? [...table.tBodies[0].rows] : [];
    const headings = table.tHead ? [...table.tHead.rows[0].cells].map(cell => cell.textContent.trim().toLowerCase()) : [];
    for (const name of ["processors", "depth"]) {
      const column = headings.indexOf(name);
      const values = new Set(column < 0 ? [] : rows.map(row => row.cells[column].textContent));
      if (values.size < 2 || values.size > 12 || rows.length < 9) continue;
      const all = `all ${name === "processors" ? "numbers of processors" : "depths"}`;
      table.before(chipsOf([all, ...values], (value, chip, chips) => {
        for (const other of chips.children) other.setAttribute("aria-pressed", String(other === chip));
        for (const row of rows) row.hidden = value !== all && row.cells[column].textContent !== value;
      }));
    }
    for (const row of rows) {
      const name = row.cells[0].textContent;
      const fade = (is) => {
        for (const one of document.querySelectorAll("[data-curve]")) {
          one.style.opacity = is && one.dataset.curve !== name ? 0.15 : "";
        }
      };
      if ([...document.querySelectorAll("[data-curve]")].some(one => one.dataset.curve === name)) {
        row.addEventListener("pointerenter", () => fade(true));
        row.addEventListener("pointerleave", () => fade(false));
      }
    }
  }
  // Values of points: a picture has one stop for the keyboard, and its arrows go from point to point.
  for (const svg of document.querySelectorAll(".picture svg")) {
    const points = [...svg.querySelectorAll("rect > title")].map(title => title.parentElement);
    if (points.length === 0) continue;
    const value = document.createElement("p");
    value.className = "value";
    value.setAttribute("aria-live", "polite");
    svg.after(value);
    let at = -1;
    const show = place => {
      if (at >= 0) points[at].classList.remove("at");
      at = place;
      value.textContent = at < 0 ? "" : points[at].firstElementChild.textContent;
      if (at >= 0) points[at].classList.add("at");
    };
    svg.tabIndex = 0;
    svg.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") show(-1);
      if (step === undefined) return;
      event.preventDefault();
      let next = at < 0 && step < 0 ? 0 : at;
      for (let tried = 0; tried < points.length; tried += 1) {
        next = (next + step + points.length) % points.length;
        if (points[next].style.display !== "none") break;
      }
      show(next);
    });
    for (const event of ["pointerover", "click"]) {
      svg.addEventListener(event, ({ target }) => show(points.indexOf(target)));
    }
    svg.addEventListener("blur", () => show(-1));
    svg.addEventListener("pointerleave", () => show(-1));
  }
  for (const figure of document.querySelectorAll("figure")) {
    const names = new Set([...figure.querySelectorAll("[data-curve]")].map(one => one.dataset.curve));
    if (names.size < 2 || names.size > 8) continue;
    const chips = chipsOf(names, (name, chip) => {
      const shown = chip.getAttribute("aria-pressed") !== "true";
      chip.setAttribute("aria-pressed", String(shown));
      for (const one of figure.querySelectorAll("[data-curve]")) {
        if (one.dataset.curve === name) one.style.display = shown ? "" : "none";
      }
    });
    chips.prepend("Shown:");
    figure.append(chips);
  }
  // Pictures as they are shown, without the curves that are hidden: as drawings, or as pixels, three for each.
  for (const figure of document.querySelectorAll("figure")) {
    const svg = figure.querySelector(".picture svg");
    if (!svg) continue;
    const name = figure.id.replace("chart-", "");
    const drawing = () => {
      const copy = svg.cloneNode(true);
      const [originals, copies] = [svg, copy].map(one => [one, ...one.querySelectorAll("*")]);
      const removed = [];
      for (const [place, one] of copies.entries()) {
        const shown = getComputedStyle(originals[place]);
        if (shown.display === "none") removed.push(one);
        // The colours are those of the page, which a file of its own does not know.
        for (const part of ["fill", "stroke"]) {
          if (one.hasAttribute(part) && one.getAttribute(part) !== "none") one.setAttribute(part, shown[part]);
        }
        one.removeAttribute("style");
        one.removeAttribute("tabindex");
        one.removeAttribute("class");
      }
      for (const one of removed) one.remove();
      const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
      // Four steps a unit, and a pixel a unit.
      copy.setAttribute("width", width / 4);
      copy.setAttribute("height", height / 4);
      const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      paper.setAttribute("width", width);
      paper.setAttribute("height", height);
      paper.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--card") || "#ffffff");
      copy.prepend(paper);
      return "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
    };
    const pixels = () => {
      const image = new Image();
      image.onload = () => {
        const canvas = document.createElement("canvas");
        canvas.width = 3 * image.width;
        canvas.height = 3 * image.height;
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        save(canvas.toDataURL("image/png"), `${name}.png`);
      };
      image.src = drawing();
    };
    figure.append(savers([["SVG", () => save(drawing(), `${name}.svg`)], ["PNG", pixels]]));
  }
  // Tables, without the rows that are hidden: numbers with all digits that the page has, and the ends of intervals in
  // columns of their own.
  for (const table of document.querySelectorAll("table.sortable")) {
    const csv = () => {
      const rows = [...table.tBodies[0].rows].filter(row => !row.hidden);
      const shown = cell => (cell.textContent === "–" ? "" : cell.textContent);
      const fields = [...table.tHead.rows[0].cells].flatMap((heading, place) => {
        const cells = rows.map(row => row.cells[place]);
        const name = heading.dataset.name || heading.textContent.trim();
        // What has no name in files, and is shown in hundredths, is what is shown.
        if (!heading.dataset.name && name.includes("%")) return [[name, ...cells.map(shown)]];
        const values = cells.map(cell => cell.dataset.order ?? shown(cell));
        if (!cells.some(cell => cell.dataset.ends)) return [[name, ...values]];
        const end = place => cells.map(cell => (cell.dataset.ends || "").split(" ")[place] || "");
        return [[name, ...values], [`${name}_low`, ...end(0)], [`${name}_high`, ...end(1)]];
      });
      const quoted = text => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const lines = fields[0].map((_, row) => fields.map(field => quoted(field[row])).join(","));
      const name = table.closest("[id]")?.id || "first";
      save("data:text/csv;charset=utf-8," + encodeURIComponent(lines.join("\n") + "\n"), `${name}.csv`);
    };
    table.parentElement.after(savers([["CSV", csv]]));
  }
})();
