// Whatever is asked, the answer is clear, its status right, and nothing of the inside is told.
import net from "node:net";
import { assert } from "./world.mjs";

// One request as raw bytes, so that nothing between us and the server mends it.
function raw(base, text) {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    let answer = "";
    socket.on("data", (data) => {
      answer += data.toString("latin1");
      if (answer.length > 65536) socket.destroy();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", () => resolve(answer));
    socket.setTimeout(20000, () => socket.destroy());
    socket.write(text);
  });
}

const get = (base, path) => raw(base, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
const status = (answer) => Number(answer.slice(9, 12));

export default async function (world) {
  const cases = [
    ["/doc/demo/999999999", 404],
    ["/doc/demo/abc", 404],
    ["/doc/elsewhere/1", 404],
    ["/doc/demo/1%00", 404],
    ["/doc/../../etc/passwd", 404],
    ["/static/..%2f..%2fCargo.toml", 404],
    ["/static/%2e%2e/x", 404],
    ["/warc/demo/99999999", 404],
    ["/nowhere", 404],
    ["/search?q=%22", 400],
    ["/search?only=colour:red", 400],
    ["/kwic?q=(a", 400],
    ["/search/export?form=exe", 400],
    ["/sql/demo?sql=" + encodeURIComponent("DELETE FROM request"), 400],
    ["/sql/demo?sql=" + encodeURIComponent("SELECT 1; DROP TABLE request"), 400],
    ["/sql/demo?sql=" + encodeURIComponent("ATTACH DATABASE '/etc/passwd' AS x"), 400],
  ];
  for (const [path, expected] of cases) {
    const answer = await get(world.base, path);
    assert.equal(status(answer), expected, `${path}: ${answer.slice(0, 300)}`);
    assert.doesNotMatch(answer, /panicked|\/tmp\/|crates\/|\.rs:/, `${path} tells of the inside`);
    assert.match(answer, /content-security-policy: default-src 'none'/i, path);
  }
  // Only reading is allowed.
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const answer = await raw(world.base, `${method} /search HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    assert.equal(status(answer), 405, method);
  }
  // Long, longer, longest.
  assert.equal(status(await get(world.base, "/search?q=" + "a".repeat(20000))), 414);
  const flood = await get(world.base, "/search?q=" + "a".repeat(10_000_000));
  assert.ok(flood === "" || [414, 431].includes(status(flood)), flood.slice(0, 100));
  // The server is alive, and asks programs in their own language.
  const page = await world.page();
  const problem = await page.request.get(world.base + "/doc/demo/999999999?format=json");
  assert.equal(problem.status(), 404);
  assert.ok((await problem.json()).error);
}
