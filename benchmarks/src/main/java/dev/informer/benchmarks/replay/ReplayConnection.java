/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.benchmarks.replay;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection of a client: one request after the other, on a dedicated thread.
 */
final class ReplayConnection implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(ReplayConnection.class);

	private static final int BUFFER = 64 * 1024;

	private final Socket socket;

	private final ReplayCluster cluster;

	private final OutputStream out;

	private final BufferedInputStream in;

	ReplayConnection(Socket socket, ReplayCluster cluster) throws IOException {
		this.socket = socket;
		this.cluster = cluster;
		long bandwidth = cluster.settings().bandwidth();
		OutputStream network = socket.getOutputStream();
		this.out = new BufferedOutputStream((bandwidth > 0) ? new PacedStream(network, bandwidth) : network, BUFFER);
		this.in = new BufferedInputStream(socket.getInputStream());
	}

	@Override
	public void run() {
		try (this.socket) {
			ReplayRequest request = ReplayRequest.read(this.in);
			while (request != null) {
				answer(request);
				this.out.flush();
				request = ReplayRequest.read(this.in);
			}
		}
		catch (IOException ex) {
			logger.trace("Client closed its connection", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			logger.error("Request failed", ex);
		}
	}

	private void answer(ReplayRequest request) throws IOException, InterruptedException {
		String path = request.path();
		ReplayedKind kind = this.cluster.kind(path, request.header("accept"));
		if (path.startsWith("/control/")) {
			text(200, control(request));
		}
		else if (path.equals("/version")) {
			text(200, "{\"major\":\"1\",\"minor\":\"36\",\"gitVersion\":\"v1.36.3\"}");
		}
		else if (kind == null) {
			text(404, ReplayedStatus.NOT_FOUND);
		}
		else if (request.isSet("watch")) {
			watch(request, kind);
		}
		else {
			list(request, kind);
		}
	}

	private void list(ReplayRequest request, ReplayedKind kind) throws IOException {
		boolean gzip = this.cluster.settings().gzip() && request.header("accept-encoding").contains("gzip");
		start(kind.listType(), gzip ? "Content-Encoding: gzip\r\n" : "");
		ChunkedStream chunks = new ChunkedStream(this.out);
		ReplayedPage page = ReplayedPage.of(request, this.cluster.history(request.path()));
		if (gzip) {
			GZIPOutputStream compressed = new FastGzipStream(chunks);
			kind.writeList(page, new BodyOutput(compressed));
			compressed.finish();
		}
		else {
			kind.writeList(page, new BodyOutput(chunks));
		}
		chunks.close();
	}

	private void watch(ReplayRequest request, ReplayedKind kind) throws IOException, InterruptedException {
		ChangeLog history = this.cluster.history(request.path());
		if (request.header("upgrade").equalsIgnoreCase("websocket")) {
			this.out.write(WebSocketStream.handshake(request.header("sec-websocket-key")));
			WebSocketStream frames = new WebSocketStream(this.out);
			new WatchResponse(kind, history, () -> isThere(frames)).write(request, frames);
			frames.close();
			return;
		}
		start(kind.watchType(), "");
		ChunkedStream chunks = new ChunkedStream(this.out);
		new WatchResponse(kind, history, this::isThere).write(request, chunks);
		chunks.close();
	}

	private boolean isThere(WebSocketStream frames) throws IOException {
		while (this.in.available() > 0) {
			if (!frames.answer(this.in)) {
				return false;
			}
		}
		return isThere();
	}

	/**
	 * Return whether the connection is open. The client sends nothing during a response,
	 * so a read can only find the end of the stream.
	 */
	private boolean isThere() throws IOException {
		if (this.in.available() > 0) {
			return true;
		}
		this.socket.setSoTimeout(1);
		this.in.mark(1);
		try {
			if (this.in.read() < 0) {
				return false;
			}
			this.in.reset();
			return true;
		}
		catch (SocketTimeoutException ex) {
			return true;
		}
		finally {
			this.socket.setSoTimeout(0);
		}
	}

	private String control(ReplayRequest request) throws InterruptedException {
		switch (request.path()) {
			case "/control/reset" -> {
				this.cluster.reset(ReplaySettings.of(request));
				return "0";
			}
			case "/control/events" -> {
				ChangeLog history = this.cluster.history(request.parameter("resource"));
				long count = request.number("count", 1);
				long rate = request.number("rate", 0);
				return Long.toString((rate > 0) ? history.advance((int) count, rate) : history.advance(count));
			}
			case "/control/stamps" -> {
				EventPace pace = this.cluster.history(request.parameter("resource")).pace();
				return (pace != null) ? pace.stamps() : "";
			}
			case "/control/expire" -> {
				return Long.toString(this.cluster.history(request.parameter("resource")).expire());
			}
			default -> throw new IllegalArgumentException("There is no command " + request.path());
		}
	}

	private void start(String type, String header) throws IOException {
		this.out.write(Bytes
			.of("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\n" + header + "Transfer-Encoding: chunked\r\n\r\n"));
	}

	private void text(int status, String text) throws IOException {
		byte[] body = Bytes.of(text);
		this.out.write(Bytes.of("HTTP/1.1 " + status + " -\r\nContent-Type: application/json\r\nContent-Length: "
				+ body.length + "\r\n\r\n"));
		this.out.write(body);
	}

	/**
	 * Stream with the fastest compression, as the API server uses it.
	 */
	private static final class FastGzipStream extends GZIPOutputStream {

		FastGzipStream(OutputStream out) throws IOException {
			super(out, BUFFER);
			this.def.setLevel(Deflater.BEST_SPEED);
		}

	}

}
