"use strict";
// What a page does: theme, cells of heat maps, files to save.  Everything is in the page; nothing is fetched.
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

  // Theme: as the system has it, light, dark; remembered where the browser lets a file remember.
  const themes = ["auto", "light", "dark"];
  const button = document.getElementById("theme");
  const remembered = (value) => {
    try {
      if (value) localStorage.setItem("tutti-theme", value);
      return localStorage.getItem("tutti-theme");
    } catch {
      return null;
    }
  };
  const setTheme = (name) => {
    document.documentElement.dataset.theme = name;
    button.textContent = `Theme: ${name}`;
  };
  setTheme(themes.includes(remembered()) ? remembered() : "auto");
  button.addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
    setTheme(next);
    remembered(next);
  });

  // A cell's piece of the page travels as base64 of gzip, and is unpacked when it is asked for.
  const pieces = document.getElementById("pieces").content;
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  };
  const show = async (run, slug, move) => {
    const mark = run.dataset.mark;
    const place = run.querySelector(".detail");
    const piece = pieces.getElementById(`piece${mark}-${slug}`);
    if (!place) return;
    all(".cell", run).forEach((cell) => cell.setAttribute("aria-pressed", cell.dataset.cell === slug));
    const select = run.querySelector(".chooser select");
    select.value = slug;
    if (!piece) {
      place.innerHTML = "<h3 tabindex=-1></h3><p class=soft>This cell's figures are not in this file, which would be " +
        "too large with all of them: make a report of fewer runs.</p>";
      place.firstChild.textContent = select.selectedOptions[0]?.textContent ?? slug;
    } else if (typeof DecompressionStream === "undefined") {
      place.innerHTML = "<p class=soft>This browser cannot unpack the figures: it has no DecompressionStream.</p>";
    } else {
      run.dataset.asked = slug;
      const text = await unpack(piece.textContent);
      if (run.dataset.asked !== slug) return;  // another cell was chosen meanwhile
      place.innerHTML = text;
    }
    if (move) {
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      place.scrollIntoView({ block: "start", behavior: still ? "instant" : "smooth" });
      place.querySelector("h3")?.focus({ preventScroll: true });
    }
  };

  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const neighbour = (cells, from, [down, right]) => {
    const row = Number(from.dataset.row), column = Number(from.dataset.column);
    const distance = (cell) => {
      const along = (cell.dataset.row - row) * down + (cell.dataset.column - column) * right;
      const aside = Math.abs(down ? cell.dataset.column - column : cell.dataset.row - row);
      return along > 0 && (down || !aside) ? along * 1000 + aside : Infinity;
    };
    const best = cells.reduce((a, b) => (distance(b) < distance(a) ? b : a));
    return distance(best) < Infinity ? best : null;
  };
  for (const map of all("svg.fig[role=group]")) {
    const cells = all(".cell", map);
    const focusable = (chosen) => cells.forEach((cell) => (cell.tabIndex = cell === chosen ? 0 : -1));
    if (cells.length) focusable(cells[0]);
    for (const cell of cells) {
      const choose = () => show(cell.closest(".run"), cell.dataset.cell, true);
      cell.addEventListener("click", () => { focusable(cell); choose(); });
      cell.addEventListener("keydown", (event) => {
        const next = steps[event.key] && neighbour(cells, cell, steps[event.key]);
        if (steps[event.key] || event.key === "Enter" || event.key === " ") event.preventDefault();
        if (event.key === "Enter" || event.key === " ") choose();
        if (next) { focusable(next); next.focus(); }
      });
    }
  }
  for (const run of all(".run")) {
    const select = run.querySelector(".chooser select");
    if (!select) continue;
    select.addEventListener("change", () => show(run, select.value, false));
    all(".cell", run).forEach((cell) => cell.setAttribute("aria-pressed", cell.dataset.cell === select.value));
  }

  // Tables as CSV with full figures, drawings as SVG in the colours that are seen.
  const save = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const csv = (table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => quoted(cell.dataset.v ?? cell.textContent)).join(",")).join("\n");
  const svg = (drawing) => {
    const copy = drawing.cloneNode(true);
    const rules = document.getElementById("looks").textContent;
    const colours = getComputedStyle(document.documentElement);
    const resolved = rules.replace(/var\((--\w+)\)/g, (_, name) => colours.getPropertyValue(name).trim());
    const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
    style.textContent = resolved;
    copy.prepend(style);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    return new XMLSerializer().serializeToString(copy);
  };
  document.addEventListener("click", (event) => {
    const clicked = event.target.closest("button.csv, button.svg");
    if (!clicked) return;
    const figure = clicked.closest("figure");
    if (clicked.matches(".csv")) save(clicked.dataset.name, "text/csv", `${csv(figure.querySelector("table"))}\n`);
    else save(`${clicked.dataset.name}.svg`, "image/svg+xml", svg(figure.querySelector("svg.fig")));
  });
  addEventListener("beforeprint", () => all("details").forEach((each) => (each.open = true)));
})();
