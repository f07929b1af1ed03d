import { report } from './failures.ts';
import { createProgram } from './program.ts';

// `gradeway … | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

const program = createProgram();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error, program.opts().json);
}
