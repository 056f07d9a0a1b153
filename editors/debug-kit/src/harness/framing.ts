// Messages of the Debug Adapter Protocol in a stream of bytes.

/** A message of the protocol; `type` says which of the other fields are there. */
export interface Message {
  seq: number;
  type: 'request' | 'response' | 'event';
  command?: string;
  event?: string;
  arguments?: unknown;
  body?: any; // what it holds depends on the command
  request_seq?: number;
  success?: boolean;
  message?: string;
}

/** The bytes of a message, with its header. */
export function encodeMessage(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'ascii'), body]);
}

/** Puts messages together from pieces of a stream. */
export class MessageDecoder {
  private rest = Buffer.alloc(0);

  /** The messages that are whole with this piece. Throws an Error on what is no message: the stream is of no use after it. */
  push(piece: Buffer): Message[] {
    this.rest = Buffer.concat([this.rest, piece]);
    const messages: Message[] = [];
    for (;;) {
      const end = this.rest.indexOf('\r\n\r\n');
      if (end < 0) return messages;
      const header = this.rest.toString('ascii', 0, end);
      const length = /^Content-Length: *(\d+)\s*$/im.exec(header);
      if (!length) throw new Error(`no length in the header ${JSON.stringify(header)}`);
      const start = end + 4, stop = start + Number(length[1]);
      if (this.rest.length < stop) return messages;
      messages.push(JSON.parse(this.rest.toString('utf8', start, stop)) as Message);
      this.rest = this.rest.subarray(stop);
    }
  }

  /** Whether a message has begun that is not whole. */
  get isInside(): boolean { return this.rest.length > 0; }
}
