// Tables that are wider than a narrow window show each row as a list of names and values instead.
(() => {
  const narrow = matchMedia("(max-width: 34rem)");
  const boxes = [...document.querySelectorAll(".table-box")];

  const arrange = () => {
    for (const box of boxes) {
      const table = box.querySelector("table");
      table.classList.remove("cards");
      if (narrow.matches && table.scrollWidth > box.clientWidth + 1) table.classList.add("cards");
    }
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    const names = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
    for (const row of table.tBodies[0].rows) {
      [...row.cells].forEach((cell, place) => { cell.dataset.label = names[place]; });
    }
  }
  for (const folded of document.querySelectorAll("details")) folded.addEventListener("toggle", arrange);
  narrow.addEventListener("change", arrange);
  addEventListener("resize", arrange);
  arrange();
})();
