/** The status bar has the verdict of kro in the words of the lenses and of the preview. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { itemText, verdictOn } from "../src/statusText";

test("a definition with errors is refused", () => {
  assert.equal(itemText(4, true, "0.9.4"), "kro refuses this: 4 errors");
  assert.equal(verdictOn(1, true), "kro refuses this: 1 error");
  assert.equal(itemText(0, true, "0.9.4"), "kro 0.9.4");
  assert.equal(verdictOn(0, true), "kro accepts this");
});

test("of another document errors are counted", () => {
  assert.equal(itemText(2, false, "0.9.4"), "kro 0.9.4 2");
  assert.equal(verdictOn(2, false), "2 errors");
});
