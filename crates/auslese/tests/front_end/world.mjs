// A browser and its pages, watched: what they complain about, and where they send requests.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.env.AUSLESE_NODE_MODULES, "here.js"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const PROGRAMS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

export class World {
  static async open(base) {
    const world = new World();
    world.base = base.replace(/\/$/, "");
    world.complaints = [];
    world.requests = [];
    world.foreign = [];
    // What scripts expect the browser to complain about, such as a blocked attack.
    world.expected = [];
    world.browser = await chromium.launch({
      executablePath: PROGRAMS.find(existsSync),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
    });
    world.contexts = [];
    return world;
  }

  // A new page; options are those of a browser context.
  async page(options = {}) {
    const context = await this.browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 900 }, ...options });
    this.contexts.push(context);
    context.setDefaultTimeout(20000);
    context.on("request", (request) => this.noteRequest(request.url()));
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.complaints.push(`error in page: ${error}`));
    this.last = page;
    return page;
  }

  noteRequest(address) {
    this.requests.push(address);
    const url = new URL(address);
    if (["data:", "blob:", "about:"].includes(url.protocol)) return;
    if (!LOOPBACK.has(url.hostname)) this.foreign.push(address);
  }

  async visit(page, address) {
    const response = await page.goto(this.base + address);
    return response;
  }

  // No serious violation of the rules for accessibility.
  async accessible(page) {
    // Evaluated by the debugger, since our policy lets no other script in.
    await page.evaluate(axe);
    const found = await page.evaluate(async () => {
      const results = await window.axe.run(document, { resultTypes: ["violations"], iframes: false });
      return results.violations
        .filter((it) => it.impact === "serious" || it.impact === "critical")
        .map((it) => `${it.id}: ${it.help}: ${it.nodes.slice(0, 3).map((node) => node.html).join(" | ")}`);
    });
    assert.deepEqual(found, [], `${page.url()} is not accessible`);
  }

  // Nothing is cut off at the right.
  async fits(page) {
    const [inner, scroll] = await page.evaluate(() => [document.documentElement.clientWidth, document.documentElement.scrollWidth]);
    assert.ok(scroll <= inner, `${page.url()} is ${scroll} wide in a window of ${inner}`);
  }

  async picture(page, name) {
    if (!process.env.AUSLESE_RECORD) return;
    mkdirSync(process.env.AUSLESE_PICTURES, { recursive: true });
    await page.screenshot({ path: path.join(process.env.AUSLESE_PICTURES, `${name}.png`) });
  }

  checkQuiet() {
    const unexpected = this.complaints.filter((it) => !this.expected.some((pattern) => pattern.test(it)));
    assert.deepEqual(unexpected, [], "the browser complained");
    assert.deepEqual(this.foreign, [], "a request left the machine");
  }

  async describe() {
    if (!this.last) return;
    console.error(`at ${this.last.url()}`);
    console.error((await this.last.locator("body").innerText().catch(() => "")).slice(0, 2000));
  }

  async close() {
    await this.browser.close();
  }
}

export { assert };
