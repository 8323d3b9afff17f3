import { startSandbox } from '../../../src/sandbox/sandbox.ts';

// A sandbox in a process of its own, to be killed: prints its address, keeps its state in the file that is named.
const sandbox = await startSandbox({ port: 0, stateFile: process.argv[2] });
process.stdout.write(`${sandbox.origin}\n`);
