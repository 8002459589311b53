// Two people talk about a document: nobody's words are lost, nothing they write is markup, and who is not logged in
// can read only.
import { Harvest, enterByKeyboard, json, logIn } from "./harvest.mjs";
import { assert } from "./world.mjs";

const HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>";

export default async function (world) {
  // Pages that refuse are answered with their status, which the browser tells.
  world.expected.push(/status of (401|409|429)/);
  const harvest = await Harvest.ofDemo({ anna: "reader", ben: "reader" });
  try {
    world.base = await harvest.serve();
    const [anna, ben, reader] = [await world.page(), await world.page(), await world.page()];
    await wrongPassword(world, anna);
    await logIn(world, anna, "anna");
    await logIn(world, ben, "ben");
    const thread = await write(world, anna, ben, reader);
    await overtake(world, anna, thread);
    await read(world, reader, thread);
  } finally {
    await harvest.close();
  }
}

async function wrongPassword(world, page) {
  await world.visit(page, "/login");
  await world.accessible(page);
  await page.fill("#name", "anna");
  await page.fill("#password", "not her password");
  await page.click("form.login button");
  await page.locator("[role=alert]", { hasText: "do not belong together" }).waitFor();
}

async function write(world, anna, ben) {
  await world.visit(anna, "/search?q=Bibliothek");
  await anna.locator(".hit a").first().click();
  await anna.locator("a.notes", { hasText: "Write a note" }).click();
  const thread = new URL(anna.url());
  await world.accessible(anna);
  // Ben has the page open while Anna writes.
  await world.visit(ben, thread.pathname + thread.search);
  await anna.fill("#new-note", `Is this one ours?\n${HOSTILE}`);
  await enterByKeyboard(anna, "form[action$='/add'] button");
  await anna.locator(".thread .words", { hasText: "Is this one ours?" }).waitFor();
  await ben.fill("#new-note", "I doubt it.");
  await ben.locator("form[action$='/add']:has(#new-note) button").click();
  await ben.locator(".thread .words", { hasText: "I doubt it." }).waitFor();
  assert.equal(await ben.locator(".thread .words").count(), 2, "both are heard");
  assert.match(await ben.locator(".thread .words").first().innerText(), /<script>alert\(2\)<\/script>/, "words are words");
  // An answer stands below what it answers.
  const first = ben.locator(".thread > li").first();
  await first.locator("summary", { hasText: "Answer" }).first().click();
  await first.locator("textarea").first().fill("Look at its imprint.");
  await first.locator("form[action$='/add'] button").first().click();
  await ben.locator(".thread .thread .words", { hasText: "Look at its imprint." }).waitFor();
  await world.accessible(ben);
  await ben.setViewportSize({ width: 390, height: 800 });
  await world.fits(ben);
  return thread.pathname + thread.search;
}

// Anna changes her note in two windows; the second is told, and keeps its text.
async function overtake(world, anna, thread) {
  const second = await anna.context().newPage();
  await world.visit(anna, thread);
  await world.visit(second, thread);
  for (const [page, text] of [[anna, "Ours, after all."], [second, "Not ours."]]) {
    const note = page.locator(".thread > li").first();
    await note.locator("summary", { hasText: "Edit" }).first().click();
    await note.locator("form[action$='/change'] textarea").fill(text);
    await note.locator("form[action$='/change'] button", { hasText: "Change" }).click();
    await page.waitForLoadState();
  }
  await second.locator("[role=alert]", { hasText: "was changed since you opened it" }).waitFor();
  await second.locator("pre", { hasText: "Not ours." }).waitFor();
  await world.visit(anna, thread);
  await anna.locator(".thread .words", { hasText: "Ours, after all." }).waitFor();
}

async function read(world, reader, thread) {
  await world.visit(reader, thread);
  assert.equal(await reader.locator("form.act").count(), 0);
  assert.equal(await reader.locator(".thread .words").count(), 3);
  await world.visit(reader, "/notes/demo");
  await world.accessible(reader);
  const { notes } = await json(world, reader, "/notes/demo");
  assert.deepEqual(notes.map((it) => it.by).sort(), ["anna", "ben", "ben"]);
  const exported = await (await reader.request.get(`${world.base}/notes/demo/export?form=jsonl`)).text();
  assert.equal(exported.trim().split("\n").length, 3);
  await world.visit(reader, "/changes/demo");
  await reader.locator("td", { hasText: "edit-note" }).waitFor();
  await world.accessible(reader);
}
