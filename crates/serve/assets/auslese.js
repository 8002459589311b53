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

  // Pages that are followed live: the server sends the parts that changed. A part in which somebody is (by keyboard) is
  // left alone until they leave it. Nobody is shown old numbers as new ones: a lost connection is told.
  for (const watched of document.querySelectorAll("section[data-live]")) {
    const note = watched.querySelector(".live-note");
    const waiting = new Map();
    let events, last;
    const say = (words, lost) => {
      if (note && note.textContent !== words) note.textContent = words;
      watched.classList.toggle("is-old", lost);
    };
    const put = (id, html) => {
      const part = document.getElementById(id);
      if (!part) return;
      if (part.contains(document.activeElement)) {
        waiting.set(id, html);
        return;
      }
      waiting.delete(id);
      const scrolled = part.querySelector(".scroll")?.scrollLeft;
      part.innerHTML = html;
      if (scrolled) part.querySelector(".scroll")?.scrollTo({ left: scrolled });
    };
    const heard = () => {
      last = Date.now();
      say(watched.dataset.liveOn, false);
    };
    const open = () => {
      events?.close();
      last = Date.now();
      events = new EventSource(watched.dataset.live);
      events.addEventListener("moment", (event) => {
        heard();
        for (const [id, html] of Object.entries(JSON.parse(event.data).parts)) put(id, html);
      });
      events.addEventListener("beat", heard);
      events.addEventListener("trouble", (event) => {
        last = Date.now();
        say(JSON.parse(event.data).words, true);
      });
      events.addEventListener("error", () => say(watched.dataset.liveLost, true));
    };
    watched.addEventListener("focusout", () => setTimeout(() => {
      for (const [id, html] of [...waiting]) put(id, html);
    }));
    // Browsers try again by themselves, but not after a refusal, and not if a connection just falls silent.
    setInterval(() => {
      if (!document.hidden && (events.readyState === EventSource.CLOSED ? Date.now() - last > 10000 : Date.now() - last > 40000)) {
        say(watched.dataset.liveLost, true);
        open();
      }
    }, 2000);
    document.addEventListener("visibilitychange", () => (document.hidden ? events.close() : open()));
    addEventListener("pagehide", () => events.close());
    open();
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

  // Forms that answer while somebody writes: the answer takes the place they name. What was unfolded there stays so, and
  // who listens is told in short.
  const WAIT = 350;
  for (const form of document.querySelectorAll("form[data-live]")) {
    const place = document.querySelector(form.dataset.live);
    const status = document.querySelector("[data-live-status]");
    const failed = document.querySelector("[data-live-failed]");
    let timer;
    let asking;
    const show = (text) => {
      const fresh = new DOMParser().parseFromString(text, "text/html");
      const answer = fresh.querySelector(".problem") ?? fresh.body;
      const unfolded = new Map([...place.querySelectorAll("details[data-key]")].map((it) => [it.dataset.key, it.open]));
      place.replaceChildren(...(answer === fresh.body ? answer.childNodes : [answer]));
      for (const it of place.querySelectorAll("details[data-key]")) it.open = unfolded.get(it.dataset.key) ?? it.open;
      for (const it of place.querySelectorAll("button[data-goto]")) it.hidden = false;
      status.textContent = place.querySelector("[data-told]")?.textContent ?? answer.querySelector("p")?.textContent ?? "";
    };
    const ask = async () => {
      asking?.abort();
      const mine = (asking = new AbortController());
      const fields = new URLSearchParams(new FormData(form));
      fields.set("part", "results");
      place.setAttribute("aria-busy", "true");
      try {
        const answer = await fetch(form.action, { method: "POST", body: fields, signal: mine.signal });
        show(await answer.text());
        failed.hidden = true;
      } catch (error) {
        failed.hidden = error.name === "AbortError";
      }
      if (mine === asking) place.removeAttribute("aria-busy");
    };
    form.addEventListener("input", (event) => {
      const pressed = event.target.dataset.press;
      clearTimeout(timer);
      if (pressed) form.requestSubmit(document.getElementById(pressed));
      else timer = setTimeout(ask, WAIT);
    });
    form.addEventListener("submit", () => clearTimeout(timer));
    place.addEventListener("click", (event) => {
      const [line, column] = (event.target.dataset.goto ?? "").split(":").map(Number);
      if (!column) return;
      const rules = document.getElementById("rules");
      const before = rules.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
      rules.focus();
      rules.setSelectionRange(before + column - 1, before + column);
    });
    for (const it of place.querySelectorAll("button[data-goto]")) it.hidden = false;
  }
})();
