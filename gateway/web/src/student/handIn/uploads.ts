import { LoggedOut } from '../../shared/session/session.ts';
import { createStore, type ReadableStore } from '../../shared/state/createStore.ts';
import { afterAttempt, canResume, keyLifetime } from './afterAttempt.ts';
import { isPortfolio } from './portfolio.ts';
import { type KeptReceipt, readReceipt } from './receipt.ts';
import type { FormResponse, SendForm } from './sendForm.ts';
import { unfinishedUpload, unreadableFile } from './uploadFailures.ts';
import type { UploadStore } from './uploadStore.ts';
import { isUnderWay, type PendingUpload, type UploadState } from './uploadTypes.ts';

/** The dependencies of uploads. */
export interface UploadWorld {
  store: UploadStore;
  send: SendForm;
  token(): Promise<string>;
  renewToken(refused: string): Promise<string>;
  /** Runs one call per name at a time across all tabs. */
  exclusively<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Resolves after the given time, or earlier when the connection is back. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  hash(blob: Blob): Promise<string>;
  steadyNow(): number;
  now(): number;
  /** Called when an upload has ended: lists may have changed. */
  onEnd(): void;
}

type UploadStates = ReadonlyMap<string, UploadState>;

/** A receipt is useful as proof until the grades of its course are final. */
const receiptLifetime = 365 * 24 * 3_600_000;

/**
 * The uploads of this tab. Each continues until it receives a response, whatever happens to the connection, the session
 * or the page: its files and key stay on the device until then. A lock prevents two tabs from sending the same files.
 */
export class Uploads {
  readonly #states = createStore<UploadStates>(new Map());
  readonly states: ReadableStore<UploadStates> = this.#states;
  readonly #running = new Map<string, AbortController>();
  readonly #world: UploadWorld;

  constructor(world: UploadWorld) {
    this.#world = world;
  }

  stateOf(id: string): UploadState | undefined {
    return this.#states.get().get(id);
  }

  /** Starts an upload. Resolves when it has ended in any way. */
  async begin(upload: PendingUpload): Promise<void> {
    this.#set(upload.id, { status: 'sending', sent: 0, total: sizeOf(upload) });
    // If the device has no space, the upload continues, and only a reload would end it.
    const isKept = await this.#world.store.keep(upload).then(
      () => true,
      () => false,
    );
    await this.#run(upload, isKept);
  }

  /** Resumes the unfinished uploads on this device and shows the stored receipts. */
  async resume(personId: number): Promise<void> {
    const { store, now } = this.#world;
    const [pending, receipts] = await Promise.all([store.pending(personId), store.receipts(personId)]);
    // Runs after reading, so that this user is shown an upload that is too old to resume. Other users no longer use
    // this device.
    void store.removeOld(now() - keyLifetime, now() - receiptLifetime).catch(() => {});
    for (const { id, receipt } of receipts) if (!this.stateOf(id)) this.#set(id, { status: 'done', receipt });
    await Promise.all(
      pending.map(async (upload) => {
        if (isUnderWay(this.stateOf(upload.id))) return;
        if (canResume(upload, now())) return this.#run(upload, true);
        await store.remove(upload.id);
        this.#set(upload.id, { status: 'refused', message: unfinishedUpload });
      }),
    );
  }

  /** Cancels an upload and removes its files. */
  async cancel(id: string): Promise<void> {
    this.#running.get(id)?.abort();
    await this.#world.store.remove(id).catch(() => {});
    this.#set(id, undefined);
    this.#world.onEnd();
  }

  /** Stops everything in this tab. The files stay on the device until the user returns. */
  stop(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#states.set(new Map());
  }

  async #run(upload: PendingUpload, isKept: boolean): Promise<void> {
    const { id } = upload;
    const controller = new AbortController();
    this.#running.get(id)?.abort();
    this.#running.set(id, controller);
    const { signal } = controller;
    if (!this.stateOf(id) || this.stateOf(id)?.status === 'done')
      this.#set(id, { status: 'waiting', because: 'turn', until: null, total: sizeOf(upload) });
    try {
      await this.#world.exclusively(`gradeway-upload-${id}`, signal, async () => {
        const present = isKept ? await this.#world.store.find(id) : upload;
        if (present?.idempotencyKey === upload.idempotencyKey) await this.#send(present, signal);
        else await this.#showEndElsewhere(id);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof LoggedOut)) throw error;
      this.#set(id, undefined);
    } finally {
      if (this.#running.get(id) === controller) this.#running.delete(id);
    }
  }

  /** Another tab has finished or cancelled the upload. */
  async #showEndElsewhere(id: string): Promise<void> {
    const receipt = await this.#world.store.receipt(id);
    this.#set(id, receipt && { status: 'done', receipt });
    this.#world.onEnd();
  }

  async #send(upload: PendingUpload, signal: AbortSignal): Promise<void> {
    const { id } = upload;
    const total = sizeOf(upload);
    const hashes = await this.#hash(upload);
    if (!hashes) return this.#end(upload, { status: 'refused', message: unreadableFile });
    let token = await this.#world.token();
    for (let failures = 0; ; ) {
      this.#set(id, { status: 'sending', sent: 0, total });
      const answer = await this.#world.send(
        upload,
        token,
        (sent, of) => !signal.aborted && this.#set(id, { status: 'sending', sent, total: of }),
        signal,
      );
      signal.throwIfAborted();
      const outcome = answer ? { answered: true as const, ...answer } : { answered: false as const };
      const next = afterAttempt(outcome, failures);
      if (next.do === 'finish' && answer) return this.#finish(upload, hashes, answer);
      if (next.do === 'give up') return this.#end(upload, { status: 'refused', message: next.message });
      if (next.do === 'renew token') {
        this.#set(id, { status: 'waiting', because: 'login', until: null, total });
        token = await this.#world.renewToken(token);
      }
      if (next.do === 'wait') {
        const until = this.#world.steadyNow() + next.ms;
        this.#set(id, { status: 'waiting', because: next.because, until, total });
        await this.#world.wait(next.ms, signal);
        failures += 1;
        token = await this.#world.token();
      }
      signal.throwIfAborted();
    }
  }

  async #hash({ files }: PendingUpload): Promise<string[] | undefined> {
    const hashes: string[] = [];
    try {
      for (const { blob } of files) hashes.push(await this.#world.hash(blob));
      return hashes;
    } catch {
      return undefined;
    }
  }

  async #finish(upload: PendingUpload, hashes: string[], answer: FormResponse): Promise<void> {
    const files = upload.files.map(async ({ name, blob }, index) => ({
      name,
      size: blob.size,
      sha256: hashes[index] ?? '',
      ...((await isPortfolio(blob)) && { isPortfolio: true }),
    }));
    const receipt: KeptReceipt = {
      signed: answer.receipt,
      content: answer.receipt === null ? null : readReceipt(answer.receipt),
      files: await Promise.all(files),
      keptAt: this.#world.now(),
    };
    await this.#world.store.finish(upload.id, receipt).catch(() => {});
    this.#set(upload.id, { status: 'done', receipt });
    this.#world.onEnd();
  }

  async #end(upload: PendingUpload, state: UploadState): Promise<void> {
    await this.#world.store.remove(upload.id).catch(() => {});
    this.#set(upload.id, state);
    this.#world.onEnd();
  }

  #set(id: string, state: UploadState | undefined): void {
    const states = new Map(this.#states.get());
    if (state) states.set(id, state);
    else states.delete(id);
    this.#states.set(states);
  }
}

const sizeOf = ({ files }: PendingUpload): number => files.reduce((sum, { blob }) => sum + blob.size, 0);
