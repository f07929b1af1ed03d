import { kubectl } from './kubectl.ts';

// Node.js opens its debugger on the loopback address of the pod when it receives SIGUSR1.
const program = (expression: string) => `
  process.kill(1, 'SIGUSR1');
  const targets = async () => (await fetch('http://127.0.0.1:9229/json')).json();
  const open = async () => { for (;;) try { return (await targets())[0]; } catch { await new Promise((done) => setTimeout(done, 100)); } };
  const socket = new WebSocket((await open()).webSocketDebuggerUrl);
  socket.onopen = () => {
    socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: ${JSON.stringify(expression)} } }));
    setTimeout(() => process.exit(), 1_000);
  };`;

/**
 * Evaluates an expression in the running process of a pod, which is PID 1 of its container: no signal sent from inside
 * the container can stop or kill it. Does not wait for the result, which a hanging process never returns.
 */
export async function evaluateInProcess(namespace: string, pod: string, expression: string): Promise<void> {
  const command = ['node', '--input-type=module', '-e', program(expression)];
  // The command ends together with the container.
  await kubectl('-n', namespace, 'exec', pod, '-c', 'main', '--', ...command).catch(() => {});
}
