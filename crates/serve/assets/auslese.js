// Makes some things quicker; every page works without it.
(() => {
  "use strict";

  // "/" goes to the search box, as in many programs for reading.
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = document.querySelector("input[type=search]");
    if (box) {
      event.preventDefault();
      box.focus();
      box.select();
    }
  });

  // Choosing is asking: forms marked so need no button.
  for (const form of document.querySelectorAll("form[data-at-once]")) {
    form.addEventListener("change", () => form.requestSubmit());
    for (const button of form.querySelectorAll("button[data-plain]")) button.hidden = true;
  }

  // Text to copy, such as an address or a digest.
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.dataset.done = "yes";
      setTimeout(() => delete button.dataset.done, 1500);
    });
  }

  // What is being worked on is looked at again, until it no longer says so.
  const again = (id, seconds) =>
    setTimeout(async () => {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
      if (!answer?.ok) return again(id, seconds * 2);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (page.querySelector("[data-again]")) {
        document.getElementById(id).replaceWith(page.getElementById(id));
        again(id, seconds);
      } else {
        location.reload();
      }
    }, seconds * 1000);
  for (const part of document.querySelectorAll("[data-again]")) again(part.id, Number(part.dataset.again));
})();
