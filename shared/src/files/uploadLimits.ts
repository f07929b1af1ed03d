import { stat, statfs } from 'node:fs/promises';
import { AppError, unavailable } from '../errors/appError.ts';

interface Options {
  /** Max unfinished uploads of one user. */
  perUser: number;
  maxFileBytes: number;
  /** Directory of uploads in progress. */
  uploadDirectory: string;
  /** Directory of stored files; undefined for a store on another machine. */
  storeDirectory: string | undefined;
}

/** The properties of an upload that are known before its body is read. */
interface Announcement {
  userId: number;
  /** `Content-Length`; undefined for a chunked body. */
  bytes: number | undefined;
  /** Max bytes of files that the form may have. */
  largest: number;
}

/** An unfinished upload. Disposing it frees its slot. */
export interface UnfinishedUpload extends Disposable {
  /**
   * Counts bytes of files as they arrive. @throws AppError `too_large` when they exceed the disk space held for the
   * upload
   */
  count(bytes: number): void;
}

interface Place {
  userId: number;
  /** Disk space that the upload may take. */
  held: number;
  received: number;
  isAnnounced: boolean;
}

// For directories and file system metadata.
const spareBytes = 1024 * 1024;

/**
 * Limits the unfinished uploads of a service: number and disk space per user (D46), and the total to the free disk
 * space (D48).
 */
export class UploadLimits {
  readonly #options: Options;
  /** Max disk space that several unfinished uploads of one user hold. */
  readonly #bytesPerUser: number;
  readonly #places = new Set<Place>();

  constructor(options: Options) {
    this.#options = options;
    this.#bytesPerUser = options.perUser * options.maxFileBytes;
  }

  /**
   * Admits an upload before its body is read.
   * @throws AppError `too_many_requests`, or `unavailable` when the disk has no space for an announced body
   */
  async enter(announcement: Announcement): Promise<UnfinishedUpload> {
    const place = this.#placeFor(announcement);
    this.#places.add(place);
    try {
      if (place.isAnnounced) await this.#requireSpace(place);
    } catch (error) {
      this.#places.delete(place);
      throw error;
    }
    return {
      count(bytes) {
        place.received += bytes;
        if (place.received > place.held) throw tooLarge();
      },
      [Symbol.dispose]: () => void this.#places.delete(place),
    };
  }

  // A form with many files may exceed the user's disk space, but only as the user's sole upload.
  #placeFor({ userId, bytes, largest }: Announcement): Place {
    const held = Math.min(bytes ?? largest, largest);
    const own = [...this.#places].filter((place) => place.userId === userId);
    const heldAlready = own.reduce((sum, place) => sum + place.held, 0);
    if (own.length >= this.#options.perUser) throw tooMany();
    if (own.length > 0 && heldAlready + held > this.#bytesPerUser) throw tooMany();
    return { userId, held, received: 0, isAnnounced: bytes !== undefined };
  }

  async #requireSpace(entered: Place): Promise<void> {
    const { uploadDirectory, storeDirectory } = this.#options;
    const directories = [uploadDirectory];
    // On the same file system, storing a file takes no additional space.
    if (storeDirectory && (await deviceOf(storeDirectory)) !== (await deviceOf(uploadDirectory)))
      directories.push(storeDirectory);
    for (const directory of directories) {
      const { bavail, bsize } = await statfs(directory);
      const needed = this.#outstandingUntil(entered, directory === storeDirectory) + spareBytes;
      if (bavail * bsize < needed) throw unavailable(new Error(`no space left in ${directory}`));
    }
  }

  // Earlier uploads keep their reserved space, so that if two uploads do not both fit, one of them is still received.
  #outstandingUntil(last: Place, inStore: boolean): number {
    let bytes = 0;
    for (const place of this.#places) {
      if (place.isAnnounced) bytes += inStore ? place.held : place.held - place.received;
      if (place === last) break;
    }
    return bytes;
  }
}

const deviceOf = async (path: string): Promise<number> => (await stat(path)).dev;

const tooLarge = () => new AppError('too_large', 'Payload Too Large');

// Retry after about as long as an upload takes.
const tooMany = () =>
  new AppError('too_many_requests', 'Too Many Requests', { headers: { 'Retry-After': '5' } });
