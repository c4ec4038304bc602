import js from '@eslint/js';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['out', 'node_modules', '*.js', '**/*.cjs'] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'describe'] }] }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
    },
  },
);
