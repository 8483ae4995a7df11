/** Where it says that something is wrong, and well again. */
export interface QueueLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface DiskQueueOptions {
  folder: string;
  log: QueueLog;
  /** What is in it, for the log. Default: results. */
  what?: string;
  /** Above this the oldest results are dropped. Default 512 MB. */
  maxBytes?: number;
  /** Size at which a new file is begun; at most half of `maxBytes`. Default 1 MB. */
  segmentBytes?: number;
  /** Results kept in memory: those about to be handed out, and as many that the disk refused. */
  memoryResults?: number;
}
