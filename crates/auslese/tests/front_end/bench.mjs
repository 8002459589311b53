// The test bench: a person labels what heuristics said, sees precision and recall change, has weights measured, puts them
// in force, describes again, and compares.
import { Harvest, enterByKeyboard, json, logIn, until } from "./harvest.mjs";
import { assert } from "./world.mjs";

export default async function (world) {
  const harvest = await Harvest.ofDemo({ ed: "editor", chief: "admin" });
  try {
    world.base = await harvest.serve();
    const page = await world.page();
    await readers(world, page);
    await logIn(world, page, "ed");
    const run = await tree(world, page);
    await label(world, page, run);
    await papers(world, page, run);
    await editorsDoNotDecide(page);
    await world.visit(page, "/login");
    await enterByKeyboard(page, "form[action='/logout'] button");
    await page.locator("form.login").waitFor();
    await logIn(world, page, "chief");
    await weigh(world, page, run);
  } finally {
    await harvest.close();
  }
}

// Without a login everything is there to read, and nothing to press.
async function readers(world, page) {
  await world.visit(page, "/bench");
  await page.waitForURL(/\/bench\/demo$/);
  assert.equal(await page.locator("form.act").count(), 0);
  await world.accessible(page);
}

async function tree(world, page) {
  await world.visit(page, "/bench/demo");
  await page.locator("table td a").first().click();
  await page.waitForURL(/\/bench\/demo\/run\/\d+/);
  const run = Number(page.url().match(/run\/(\d+)/)[1]);
  await page.locator("nav.tree summary", { hasText: /^Title / }).click();
  await page.locator("nav.tree details[open] a", { hasText: "all rules" }).click();
  await page.locator("tbody td a").first().waitFor();
  await world.accessible(page);
  // A rule has fewer documents than its field.
  const all = (await json(world, page, `/bench/demo/run/${run}?field=title`)).fields.find((it) => it.field === "title");
  assert.equal(all.rules.reduce((sum, it) => sum + it.documents, 0), all.documents);
  await page.locator("nav.tree details[open] a code").first().click();
  await page.locator("tbody td a").first().waitFor();
  return run;
}

async function label(world, page, run) {
  const quality = async () => (await json(world, page, "/bench/demo")).quality.find((it) => it.field === "title");
  assert.equal(await quality(), undefined);
  const { found } = await json(world, page, `/bench/demo/run/${run}?field=title`);
  const pages = found.filter((it) => !/\.(pdf|ps|doc|rtf|docx|odt)(\.gz)?$/.test(it.url)).slice(0, 24);
  assert.equal(pages.length, 24);
  for (const [at, document] of pages.entries()) {
    await world.visit(page, `${document.page}?side=source`);
    const row = page.locator("#f-title .said-row").first();
    if (at === 0) {
      await world.accessible(page);
      assert.ok((await page.locator("pre.source mark").count()) > 0, "places are marked in the source");
      await page.setViewportSize({ width: 390, height: 800 });
      await world.fits(page);
      await page.setViewportSize({ width: 1280, height: 900 });
      await enterByKeyboard(page, "#f-title .said-row button[value=wrong]");
    } else {
      await row.locator("button[value=right]").click();
    }
    await page.locator("#f-title .tag", { hasText: at === 0 ? "wrong" : "right" }).waitFor();
  }
  assert.deepEqual([(await quality()).right, (await quality()).wrong], [23, 1]);
  assert.ok(Math.abs((await quality()).precision - 23 / 24) < 1e-9);
  assert.equal((await quality()).recall, 1);

  // What is missing is typed; where there is nothing, silence is right.
  await world.visit(page, `${pages[0].page}?side=source`);
  await page.locator("#missing-title").fill("The true title <b>&");
  await page.keyboard.press("Enter");
  await page.locator("#f-title", { hasText: "The true title <b>&" }).waitFor();
  assert.ok(Math.abs((await quality()).recall - 23 / 24) < 1e-9);
  const rights = page.locator("#f-rights");
  if ((await rights.getAttribute("open")) === null) await rights.locator("summary").click();
  await rights.locator("button[value=absent]").click();
  await page.locator("#f-rights .tag", { hasText: "the document has none" }).waitFor();
  await page.locator("button[value=irrelevant]").click();
  await page.locator(".tag", { hasText: "of no interest" }).waitFor();
  await world.visit(page, "/bench/demo");
  await page.locator("#quality tr", { hasText: "Title" }).waitFor();
  await world.accessible(page);
}

// A paper lies beside what was said of it, with boxes.
async function papers(world, page, run) {
  const { found } = await json(world, page, `/bench/demo/run/${run}?field=abstract`);
  const paper = found.find((it) => /\.pdf$/.test(it.url));
  await world.visit(page, paper.page);
  await page.locator("svg.layout rect.box").first().waitFor({ state: "attached" });
  await world.accessible(page);
}

async function editorsDoNotDecide(page) {
  await page.goto(new URL("/bench/demo/weights", page.url()).href);
  assert.equal(await page.locator("form[action$='/weights/adopt']").count(), 0);
  await page.locator("form[action$='/weights/measure'] button").click();
  await page.locator("[role=status]", { hasText: "labelled documents" }).waitFor();
  assert.equal(await page.locator("form[action$='/weights/adopt']").count(), 0);
}

async function weigh(world, page, run) {
  const weights = async () => (await json(world, page, "/bench/demo/weights")).rules;
  const before = await weights();
  await world.visit(page, "/bench/demo/weights");
  await world.accessible(page);
  await page.locator("form[action$='/weights/measure'] button").click();
  await page.locator("#weights th", { hasText: "New" }).waitFor();
  assert.deepEqual(await weights(), before, "measuring changes nothing");
  await page.locator("form[action$='/weights/adopt'] button").click();
  await page.waitForURL(/weights\?set=pages/);
  const after = await weights();
  const of = (rules, field) => rules.filter((it) => it.field === field).map((it) => it.in_force);
  assert.notDeepEqual(of(after, "title"), of(before, "title"));
  assert.deepEqual(of(after, "author"), of(before, "author"), "fields without labels keep their weights");

  await world.visit(page, "/bench/demo");
  await page.locator("form[action$='/describe'] button").click();
  await page.locator("#begun", { hasText: /^Described/ }).waitFor({ timeout: 120000 });
  await world.accessible(page);
  await page.locator("a", { hasText: `compare with ${run}` }).click();
  await page.locator("th a", { hasText: /^Title$/ }).waitFor({ timeout: 60000 });
  const { compared } = await until("they are compared", async () => {
    const answer = await json(world, page, new URL(page.url()).pathname + new URL(page.url()).search);
    return answer.compared ? answer : null;
  });
  assert.ok(compared.fields.title.reweighted > 0, "titles have other weights");
  await world.accessible(page);
  const { changes } = await json(world, page, "/changes/demo");
  const deeds = new Set(changes.map((it) => it.deed));
  for (const deed of ["mark", "weights", "describe"]) assert.ok(deeds.has(deed), deed);
}
