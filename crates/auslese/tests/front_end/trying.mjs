// A person pastes a page, sees its language and title, changes a rule, and the result changes while they write.
import { assert } from "./world.mjs";

const SOURCE = `<!DOCTYPE html><html lang="de"><head><title>Institut für Physik: Kants Ethik</title></head>
<body><h1>Kants Ethik</h1><p>Die Vorlesung im Sommer behandelt die Grundlegung zur Metaphysik der Sitten und ihre Folgen
für die Lehre vom Recht.</p></body></html>`;

export default async function (world) {
  const page = await world.page();
  await world.visit(page, "/");
  await page.getByRole("navigation").getByRole("link", { name: "Try it" }).click();
  await page.waitForURL(/\/try$/);
  await world.accessible(page);

  // Without the mouse, and without a button.
  await page.getByLabel("A text, or the source of a web page").focus();
  await page.keyboard.insertText(SOURCE);
  const results = page.locator("#results");
  await results.locator(".told", { hasText: "Language de" }).waitFor();
  const title = results.locator(".statements tbody", { hasText: "Title" }).first();
  assert.match(await title.innerText(), /Kants Ethik/);
  assert.doesNotMatch(await title.innerText(), /Institut/);
  assert.match(await page.locator("[data-live-status]").innerText(), /Kants Ethik/, "who listens is told");
  assert.ok((await results.locator(".fate.is-recognised").count()) > 5, "the fate of tokens is shown");
  await world.accessible(page);

  // Another set is loaded into the editor, by keyboard.
  await page.getByLabel("Heuristics").focus();
  await page.keyboard.press("End");
  await page.waitForURL(/\/try/);
  const rules = page.getByLabel("Rules, to be changed");
  await page.waitForFunction(() => document.getElementById("rules")?.value.includes("heuristic own-title"));
  assert.match(await page.locator(".told").innerText(), /Kants Ethik/);

  // The rule for <title> is made the strongest.
  await rules.focus();
  const written = await rules.inputValue();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(written.replace("-> [0.4] TITLE", "-> [0.99] TITLE"));
  await results.locator(".told", { hasText: "Institut für Physik: Kants Ethik" }).waitFor();

  // A mistake is shown with its line; what was unfolded stays so.
  await results.locator("details[data-key=names] summary").click();
  await rules.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(written.replace("first\nlet HEADING", "frist\nlet HEADING"));
  await results.locator(".fault", { hasText: "line 2, column" }).waitFor();
  assert.match(await results.locator(".listing .is-fault").first().innerText(), /frist/);
  await world.accessible(page);
  await results.getByRole("button", { name: "Go there" }).click();
  assert.equal(await page.evaluate(() => document.activeElement.id), "rules");
  const chosen = await page.evaluate(() => {
    const { value, selectionStart } = document.activeElement;
    return value.slice(selectionStart, selectionStart + 5);
  });
  assert.equal(chosen, "frist");
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(written);
  await results.locator(".told", { hasText: "Title" }).waitFor();
  assert.equal(await results.locator("details[data-key=field-title]").getAttribute("open"), "");

  // From a document to here.
  await world.visit(page, "/search?q=Institut&only=kept%3Akept");
  await page.locator(".hit h2 a").first().click();
  await page.getByRole("link", { name: "Try things out on it" }).click();
  await page.waitForURL(/\/try\?harvest=/);
  await page.locator(".told").waitFor();
  await world.accessible(page);

  const dark = await world.page({ colorScheme: "dark", locale: "de-DE" });
  await world.visit(dark, "/try?example=yes");
  await dark.getByRole("heading", { name: "Was aus jedem Token wurde" }).waitFor();
  await world.accessible(dark);

  const narrow = await world.page({ viewport: { width: 390, height: 800 } });
  for (const address of ["/try", "/try?example=yes", "/try?example=yes&lang=de"]) {
    await world.visit(narrow, address);
    await world.fits(narrow);
  }

  const plain = await world.page({ javaScriptEnabled: false });
  await world.visit(plain, "/try");
  await plain.getByLabel("A text, or the source of a web page").fill(SOURCE);
  await plain.getByLabel("Heuristics").selectOption("own");
  await plain.getByRole("button", { name: "Show this file" }).click();
  await plain.getByLabel("Rules, to be changed").fill("heuristic own for title\ndecide first\n<t> always -> [0.9] `//title`\n");
  await plain.getByRole("button", { name: "Try it", exact: true }).click();
  assert.match(await plain.locator(".told").innerText(), /Institut für Physik: Kants Ethik/);
}
