/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * TCP socket that knows when it last delivered data. A reset by the peer is reported by
 * reads only.
 */
final class MonitoredSocket extends Socket {

	private final long created = System.nanoTime();

	private volatile long lastData = this.created;

	private volatile boolean used;

	/** Whether HTTP/2 pings are sent, so that data is due. */
	private volatile boolean pings;

	/** Whether this side ends the connection. A read may return before it is closed. */
	private volatile boolean ending;

	/**
	 * Note that a request uses the connection, so it is established, and whether pings
	 * are sent.
	 */
	void use(boolean pings) {
		this.used = true;
		this.pings |= pings;
	}

	/**
	 * Return whether no request has used the connection for some time after its creation.
	 */
	boolean isUnused(Duration time) {
		return !this.used && System.nanoTime() - this.created > TimeSource.nanos(time);
	}

	/**
	 * Return the {@link System#nanoTime()} at which the peer last sent data or ended the
	 * connection; that of the creation if it did not.
	 */
	long lastData() {
		return this.lastData;
	}

	/**
	 * Return the time since which nothing was read although pings are due, zero without
	 * pings. OkHttp closes the connection between one and two intervals of the pings
	 * after the last data.
	 */
	Duration silence() {
		return this.pings ? Duration.ofNanos(System.nanoTime() - this.lastData) : Duration.ZERO;
	}

	@Override
	public InputStream getInputStream() throws IOException {
		return new FilterInputStream(super.getInputStream()) {

			@Override
			public int read() throws IOException {
				byte[] single = new byte[1];
				return (read(single, 0, 1) < 0) ? -1 : single[0] & 0xFF;
			}

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				boolean timedOut = false;
				try {
					return super.read(buffer, offset, length);
				}
				catch (SocketTimeoutException ex) {
					timedOut = true;
					throw ex;
				}
				finally {
					if (!timedOut) {
						returned();
					}
				}
			}

		};
	}

	/**
	 * Return a stream whose writes do not fail while the answer of the peer may be
	 * unread. A peer that rejects a connection sends the reason, such as an alert of TLS,
	 * and resets the connection. A write that fails because of the reset would hide the
	 * reason, which the next read delivers. Then the read fails as well.
	 * @see <a href="https://datatracker.ietf.org/doc/html/rfc9112#section-9.6">RFC
	 * 9112</a>
	 */
	@Override
	public OutputStream getOutputStream() throws IOException {
		return new FilterOutputStream(super.getOutputStream()) {

			@Override
			public void write(int value) throws IOException {
				write(new byte[] { (byte) value }, 0, 1);
			}

			@Override
			public void write(byte[] buffer, int offset, int length) throws IOException {
				try {
					this.out.write(buffer, offset, length);
				}
				catch (SocketException ex) {
					if (MonitoredSocket.this.ending) {
						throw ex;
					}
				}
			}

		};
	}

	/**
	 * Note that a read has returned. An end of the connection is a sign of its peer, too,
	 * unless this side ends it.
	 */
	private void returned() {
		if (!this.ending) {
			this.lastData = System.nanoTime();
		}
	}

	@Override
	public void shutdownOutput() throws IOException {
		// A closed SSL socket does this first. A proxy may answer it in place of a dead
		// peer.
		this.ending = true;
		super.shutdownOutput();
	}

	@Override
	public void shutdownInput() throws IOException {
		this.ending = true;
		super.shutdownInput();
	}

	@Override
	public void close() throws IOException {
		this.ending = true;
		super.close();
	}

}
