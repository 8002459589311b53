// A harvest that can be crawled while it is watched: a simulated internet, crawls and a front end, each a process of its
// own, as people start them.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import readline from "node:readline";
import { assert } from "./world.mjs";

const PROGRAM = process.env.AUSLESE_PROGRAM;
const PASSWORD = "four words in a row";

export class Harvest {
  // `config` is the text of auslese.toml.
  static async start(config) {
    const harvest = new Harvest();
    harvest.folder = mkdtempSync(path.join(tmpdir(), "auslese-steering-"));
    harvest.dir = path.join(harvest.folder, "uni");
    harvest.net = path.join(harvest.folder, "net.toml");
    harvest.processes = [];
    mkdirSync(harvest.dir);
    writeFileSync(path.join(harvest.dir, "auslese.toml"), config);
    const internet = harvest.spawn(["demo", "--net-only", "--net", harvest.net]);
    await firstLine(internet);
    return harvest;
  }

  // A copy of the demo's harvest, with people who may change something; all have the same password.
  static async ofDemo(people) {
    const harvest = new Harvest();
    harvest.folder = mkdtempSync(path.join(tmpdir(), "auslese-people-"));
    harvest.dir = path.join(harvest.folder, "demo");
    harvest.net = path.join(harvest.folder, "net.toml");
    harvest.processes = [];
    cpSync(process.env.AUSLESE_DEMO, harvest.dir, { recursive: true });
    writeFileSync(harvest.net, "");
    const password = path.join(harvest.folder, "password");
    writeFileSync(password, `${PASSWORD}\n`);
    for (const [name, role] of Object.entries(people)) harvest.run("accounts", "add", name, "--role", role, "--password-file", password);
    harvest.rights = [];
    return harvest;
  }

  spawn(args) {
    const child = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "pipe"] });
    child.said = "";
    child.stderr.on("data", (data) => (child.said += data));
    child.ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
    this.processes.push(child);
    return child;
  }

  // A command that is waited for.
  run(...args) {
    const done = spawnSync(PROGRAM, [...args, "--dir", this.dir, "--net", this.net], { encoding: "utf8" });
    assert.ok([0, 1].includes(done.status), `${args.join(" ")}: ${done.status} ${done.stderr}`);
    return done.stdout;
  }

  // A crawl in a process of its own, which has begun when it is returned.
  async crawl(...args) {
    const logs = () => (existsSync(this.runs()) ? readdirSync(this.runs()).filter((name) => name.endsWith(".jsonl")).length : 0);
    const before = logs();
    const child = this.spawn(["crawl", "--quiet", ...args, "--dir", this.dir, "--net", this.net]);
    await until("it has begun", () => logs() > before || child.exitCode !== null);
    return child;
  }

  runs() {
    return path.join(this.dir, "runs");
  }

  // The front end, for an admin on this machine unless there are accounts; its address.
  async serve() {
    const ports = ["--listen", "127.0.0.1:0", "--replay-listen", "127.0.0.1:0"];
    const child = this.spawn(["serve", ...(this.rights ?? ["--admin"]), ...ports, "--dir", this.dir]);
    const line = await firstLine(child);
    assert.match(line, /^http:/, child.said);
    return line.trim().replace(/\/$/, "");
  }

  catalog() {
    return path.join(this.dir, "catalog.sqlite");
  }

  config() {
    return path.join(this.dir, "auslese.toml");
  }

  async close() {
    for (const child of this.processes) child.kill("SIGKILL");
    await Promise.all(this.processes.map((child) => child.ended));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function firstLine(child) {
  const [line] = await Promise.race([once(readline.createInterface(child.stdout), "line"), child.ended.then(() => [""])]);
  return line;
}

// Waits for something that takes a moment; `look` may return what was found.
export async function until(what, look, seconds = 40) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < end, `waited in vain until ${what}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}

// What the twin for programs says.
export async function json(world, page, address) {
  const sign = address.includes("?") ? "&" : "?";
  const response = await page.request.get(`${world.base}${address}${sign}format=json`);
  return { status: response.status(), ...(await response.json()) };
}

// Goes by the Tab key to the first thing that fits a selector, and presses Enter there.
export async function enterByKeyboard(page, selector) {
  await page.locator(selector).first().waitFor();
  for (let step = 0; step < 200; step++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) {
      await page.keyboard.press("Enter");
      return;
    }
  }
  assert.fail(`the keyboard does not lead to ${selector}`);
}

// Logs in as people do.
export async function logIn(world, page, name) {
  await world.visit(page, "/login");
  await page.fill("#name", name);
  await page.fill("#password", PASSWORD);
  await page.keyboard.press("Enter");
  await page.locator("a.who", { hasText: name }).waitFor();
}
