// Preloaded with --import: responds to each message from the parent with the URLs of the modules loaded so far.
import { registerHooks } from 'node:module';

const loaded = new Set<string>();

registerHooks({
  load(url, context, nextLoad) {
    loaded.add(url);
    return nextLoad(url, context);
  },
});

process.on('message', () => process.send?.([...loaded]));
