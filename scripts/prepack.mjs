// Before `npm pack` and `npm publish`: a package must never be made without its build.
import { build } from './build.mjs';
import { install } from './install.mjs';
import { requireNode } from './require-node.mjs';

requireNode();
process.exitCode = install() || (await build());
