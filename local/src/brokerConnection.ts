import { connect } from 'amqplib';

/**
 * Returns why RabbitMQ does not accept a connection with this URL; undefined if it does. The text contains no password.
 */
export async function connectionErrorOf(url: string): Promise<string | undefined> {
  try {
    const connection = await connect(url, { timeout: 3_000 });
    // Without a listener, an error while closing would end this process.
    connection.on('error', () => {});
    await connection.close();
    return undefined;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return message || code || 'no connection';
  }
}
