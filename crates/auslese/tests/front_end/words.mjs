// Concordance lines sort, sample reproducibly, and lead to their documents; tables and curves have their twins.
import { assert } from "./world.mjs";

const column = (page, name) => page.locator(`.kwic tbody .${name}`).allInnerTexts();

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/kwic");
  await page.getByLabel("Words").first().fill("Universität");
  await page.getByLabel("Sort").selectOption("R1,R2,R3");
  await page.getByRole("button", { name: "Count" }).click();
  await page.locator(".kwic").waitFor();
  await world.accessible(page);
  const first = (words) => words.map((it) => (it.match(/[\p{L}\p{N}]+/u) ?? [""])[0].toLowerCase());
  const right = first(await column(page, "after")).filter((word) => word);
  const sorted = [...right].sort(new Intl.Collator("de", { sensitivity: "base" }).compare);
  assert.deepEqual(right, sorted, "the lines are in the order of the words to the right");

  const sample = "/kwic?q=Universit%C3%A4t&sample=5&seed=7";
  await world.visit(page, sample);
  const once = await column(page, "left");
  assert.equal(once.length, 5);
  await world.visit(page, sample);
  assert.deepEqual(await column(page, "left"), once, "the same seed draws the same lines");
  await page.locator(".kwic .source a").first().click();
  await page.waitForURL(/\/doc\//);

  for (const [kind, query] of [["frequencies", ""], ["collocations", "q=Universit%C3%A4t"], ["curve", "q=Universit%C3%A4t&all=1"], ["groups", "q=Universit%C3%A4t&by=host"]]) {
    await world.visit(page, `/kwic/${kind}?${query}`);
    await page.locator("svg.chart").waitFor();
    await world.accessible(page);
    const csv = await page.request.get(`${world.base}/kwic/${kind}?${query}&format=csv`);
    assert.ok((await csv.text()).split("\r\n").length > 2, `${kind} as CSV`);
  }
}
