/** Colours: the grammars on the YAML grammar that VS Code has, as VS Code injects them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import { type IGrammar, INITIAL, parseRawGrammar, Registry } from 'vscode-textmate';

const OURS: Readonly<Record<string, string>> = {
  'source.cel': 'syntaxes/cel.tmLanguage.json',
  'kro.expressions': 'syntaxes/kro-expressions.tmLanguage.json',
};
/** The grammars of YAML: one that many editors have, and VS Code's own where the tests' VS Code is installed. */
const CODE = '../../.cache/editors/vscode/code-server/node_modules/code-server/lib/vscode/extensions/yaml/syntaxes';
const YAML: Readonly<Record<string, (scope: string) => string>> = {
  'the common grammar': () => require.resolve('tm-grammars/grammars/yaml.json'),
  ...(existsSync(CODE) && {
    "VS Code's grammar": (scope: string) => `${CODE}/${scope.slice('source.'.length).replace('.1', '-1')}.tmLanguage.json`,
  }),
};

let grammar: IGrammar;

async function load(yaml: (scope: string) => string): Promise<IGrammar> {
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: (scope) => {
      const file = OURS[scope] ?? (/^source\.yaml(\.1\.\d)?$/.test(scope) ? yaml(scope) : undefined);
      return Promise.resolve(file === undefined ? null : parseRawGrammar(readFileSync(file, 'utf8'), file));
    },
    getInjections: (scope) => (scope === 'source.yaml' ? ['kro.expressions'] : undefined),
  });
  const loaded = await registry.loadGrammar('source.yaml');
  assert.ok(loaded);
  return loaded;
}

before(() => loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'))));

/** Each token of a text with its innermost scope. */
function tokens(text: string): { text: string; scope: string; scopes: string[] }[] {
  let stack = INITIAL;
  return text.split('\n').flatMap((line) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    return result.tokens.map(({ startIndex, endIndex, scopes }) => ({
      text: line.slice(startIndex, endIndex),
      scope: scopes.at(-1) ?? '',
      scopes,
    }));
  });
}

function scopeOf(text: string, token: string): string | undefined {
  return tokens(text).find((each) => each.text === token)?.scope;
}

/** The text that is coloured as an expression. */
function embedded(text: string): string {
  return tokens(text)
    .filter(({ scopes }) => scopes.includes('meta.embedded.expression.kro'))
    .map((each) => each.text)
    .join('');
}

for (const [name, yaml] of Object.entries(YAML)) {
  describe(name, () => {
    before(async () => {
      grammar = await load(yaml);
    });
    describe('an expression is found', () => {
      for (const [where, text] of [
        ['as a plain scalar', 'name: ${schema.spec.name}'],
        ['in the middle of one', 'name: a-${schema.spec.name}-b'],
        ['in double quotes', 'name: "a ${schema.spec.name} b"'],
        ['in single quotes', "name: 'a ${schema.spec.name} b'"],
        ['in a flow mapping', 'labels: {app: ${schema.spec.name}, b: c}'],
        ['in a literal block', 'script: |\n  echo ${schema.spec.name}\n  done'],
        ['in a folded block', 'script: >-\n  echo ${schema.spec.name}\n  done'],
        ['in a list', '- ${schema.spec.name}'],
      ] as const) {
        test(where, () => {
          assert.equal(embedded(text), 'schema.spec.name');
          assert.equal(scopeOf(text, 'schema'), 'variable.language.cel');
          assert.equal(scopeOf(text, 'spec'), 'variable.other.property.cel');
        });
      }

      test('not in a comment, and not where there is none', () => {
        assert.equal(embedded('a: b # ${schema.spec.name}'), '');
        assert.equal(embedded('price: $5 {a}'), '');
      });

      test('with braces and strings that hold braces', () => {
        assert.equal(embedded('a: ${ {"k": 1}.size() > 0 ? "}" : "x" } b'), ' {"k": 1}.size() > 0 ? "}" : "x" ');
      });

      test('over several lines of a block', () => {
        const text = 'a: |\n  ${schema.spec.on\n    ? 1\n    : 2}\nb: c';
        assert.equal(embedded(text).replaceAll('    ', '  '), 'schema.spec.on  ? 1  : 2');
      });

      test('with a map whose lines look like YAML', { skip: name !== "VS Code's grammar" }, () => {
        const text = 'a:\n  - >-\n    ${f({\n      type: "Serving",\n      status: g(x)\n    })}\nb: c';
        assert.equal(scopeOf(text, 'g'), 'entity.name.function.cel');
        assert.match(scopeOf(text, 'b') ?? '', /entity\.name\.tag/);
      });

      test('what is not closed does not colour the rest of the file', () => {
        const text = 'a: ${schema.spec.name\nb: c\nd: e';
        assert.equal(embedded(text), 'schema.spec.name');
        assert.match(scopeOf(text, 'd') ?? '', /entity\.name\.tag/);
      });
    });

    describe('the parts of an expression', () => {
      for (const [text, token, scope] of [
        ['${size(a)}', 'size', 'entity.name.function.cel'],
        ["${a.startsWith('x')}", 'startsWith', 'entity.name.function.cel'],
        ['${a.map(x, x + 1)}', 'map', 'support.function.macro.cel'],
        ['${a.exists(x, x in b)}', 'in', 'keyword.operator.in.cel'],
        ['${a.?b.orValue(1)}', 'b', 'variable.other.property.cel'],
        ['${a.?b.orValue(1)}', '.?', 'punctuation.accessor.cel'],
        ['${a && !b}', '&&', 'keyword.operator.logical.cel'],
        ['${a >= 1.5e3}', '>=', 'keyword.operator.comparison.cel'],
        ['${a >= 1.5e3}', '1.5e3', 'constant.numeric.cel'],
        ['${0xFFu}', '0xFFu', 'constant.numeric.cel'],
        ['${true ? null : 1}', 'null', 'constant.language.cel'],
        ['${true ? null : 1}', '?', 'keyword.operator.ternary.cel'],
        ['${each.metadata.name}', 'each', 'variable.language.cel'],
        ['${item}', 'item', 'variable.other.readwrite.cel'],
        ["${'a\\n'}", '\\n', 'constant.character.escape.cel'],
      ] as const) {
        test(`${token} in ${text}`, () => {
          assert.equal(scopeOf(`v: ${text}`, token), scope);
        });
      }

      test('quotes that the YAML around them escapes', () => {
        const text = 'v: "${a == \\"x y\\" ? 1 : 2}"';
        assert.equal(embedded(text), 'a == \\"x y\\" ? 1 : 2');
        assert.equal(scopeOf(text, 'x y'), 'string.quoted.double.cel');
      });
    });
  });
}

describe('lines made to be slow', () => {
  const lines = ['a', 'a ', '1', '.', '.`', "'", "''", '"', "r'", '{', '${', '${a', '//', 'a(', '- ', 'a.b', '\\"', 'a: '];
  for (const part of lines) {
    test(part, async () => {
      const line = `a: \${${part.repeat(Math.ceil(20_000 / part.length))}`; // VS Code colours no longer lines
      grammar = await load(YAML['the common grammar'] as (scope: string) => string);
      const started = process.cpuUsage();
      grammar.tokenizeLine(line, INITIAL);
      assert.ok(process.cpuUsage(started).user < 5_000_000);
    });
  }
});
