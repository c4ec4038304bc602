// Definitions of tests and pictures, made by the Python tests' fixtures.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { ROOT } from './server';

export const SHOP = readFileSync(`${ROOT}tests/fixtures/shop.yaml`, 'utf8');

/** A definition of about so many resources. */
export function platform(resources: number): string {
  const script = `from tests.fixtures.graphs import platform; print(platform(${resources}), end='')`;
  return execFileSync(`${ROOT}.venv/bin/python`, ['-c', script], { cwd: ROOT, encoding: 'utf8' });
}
