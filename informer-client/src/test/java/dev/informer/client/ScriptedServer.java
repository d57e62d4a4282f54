/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * TCP server whose script says how far it answers each connection. A connection stays
 * open when its script ends.
 */
final class ScriptedServer implements AutoCloseable {

	static final String EMPTY_LIST = """
			{"kind":"ConfigMapList","metadata":{"resourceVersion":"1"},"items":[]}""";

	/** An event of a watch. */
	static final String ADDED = """
			{"type":"ADDED","object":{"kind":"ConfigMap","metadata":{"name":"a","namespace":"shop"}}}
			""";

	private final ServerSocket listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());

	private final List<Socket> accepted = new CopyOnWriteArrayList<>();

	private final Script script;

	ScriptedServer(Script script) throws IOException {
		this.script = script;
		start(this::accept);
	}

	/**
	 * Return a server that accepts connections and never answers.
	 */

	String url() {
		return "http://127.0.0.1:" + port();
	}

	int port() {
		return this.listener.getLocalPort();
	}

	int accepted() {
		return this.accepted.size();
	}

	/**
	 * Return the number of connections that the client has not closed. Reads what it sent
	 * after the script ended.
	 */
	long openConnections() {
		return this.accepted.stream().filter(ScriptedServer::isOpen).count();
	}

	private static boolean isOpen(Socket socket) {
		try {
			socket.setSoTimeout(1);
			return socket.getInputStream().read(new byte[8192]) >= 0;
		}
		catch (SocketTimeoutException ex) {
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private void accept() {
		try {
			while (true) {
				Socket socket = this.listener.accept();
				Peer peer = new Peer(socket, this.accepted.size() + 1);
				this.accepted.add(socket);
				start(() -> run(peer));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void run(Peer peer) {
		try {
			this.script.run(peer);
		}
		catch (IOException ex) {
			// the client closed the connection
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "scripted-server");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.listener.close();
		for (Socket socket : this.accepted) {
			socket.close();
		}
	}

	/**
	 * Script of one connection.
	 */
	interface Script {

		void run(Peer peer) throws IOException;

	}

	/**
	 * Server's side of one connection.
	 */
	static final class Peer {

		private static final int DATA = 0;

		private static final int HEADERS = 1;

		private static final int SETTINGS = 4;

		private static final int PING = 6;

		private static final int GOAWAY = 7;

		private static final int ACK = 1;

		private static final int END_STREAM = 1;

		private static final int END_HEADERS = 4;

		/** {@code :status: 200} of the static table of HPACK. */
		private static final byte[] STATUS_200 = { (byte) 0x88 };

		private final Socket socket;

		private final int number;

		private final DataInputStream in;

		private final DataOutputStream out;

		Peer(Socket socket, int number) throws IOException {
			this.socket = socket;
			this.number = number;
			this.in = new DataInputStream(socket.getInputStream());
			this.out = new DataOutputStream(socket.getOutputStream());
		}

		/**
		 * Return the number of this connection, from 1.
		 */
		int number() {
			return this.number;
		}

		/**
		 * Read the head of an HTTP/1.1 request.
		 */
		String readRequest() throws IOException {
			StringBuilder head = new StringBuilder();
			while (head.indexOf("\r\n\r\n") < 0) {
				head.append((char) this.in.readUnsignedByte());
			}
			return head.toString();
		}

		void readBytes(int count) throws IOException {
			this.in.readFully(new byte[count]);
		}

		void write(String text) throws IOException {
			write(text.getBytes(StandardCharsets.UTF_8));
		}

		void write(byte[] bytes) throws IOException {
			this.out.write(bytes);
			this.out.flush();
		}

		/**
		 * Write a complete HTTP/1.1 response.
		 */
		void respond(int code, String body) throws IOException {
			write("HTTP/1.1 " + code + " X\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
					+ "\r\n\r\n" + body);
		}

		void close() throws IOException {
			this.socket.close();
		}

		/**
		 * Begin an HTTP/2 connection.
		 */
		synchronized void startHttp2() throws IOException {
			readBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".length());
			frame(SETTINGS, 0, 0, new byte[0]);
		}

		/**
		 * Read HTTP/2 frames and answer pings until a request.
		 * @return the stream of the request
		 */
		int nextRequest() throws IOException {
			Frame frame = readFrame();
			while (frame.type() != HEADERS) {
				if (frame.type() == PING && frame.flags() == 0) {
					frame(PING, ACK, 0, frame.payload());
				}
				frame = readFrame();
			}
			return frame.stream();
		}

		/**
		 * Read HTTP/2 frames until a ping, and do not answer it.
		 */
		void nextPing() throws IOException {
			while (readFrame().type() != PING) {
				// a window update or an acknowledgement
			}
		}

		private Frame readFrame() throws IOException {
			int length = (this.in.readUnsignedByte() << 16) | this.in.readUnsignedShort();
			int type = this.in.readUnsignedByte();
			int flags = this.in.readUnsignedByte();
			int stream = this.in.readInt();
			byte[] payload = new byte[length];
			this.in.readFully(payload);
			if (type == SETTINGS && flags == 0) {
				frame(SETTINGS, ACK, 0, new byte[0]);
			}
			return new Frame(type, flags, stream, payload);
		}

		void sendHeaders(int stream) throws IOException {
			frame(HEADERS, END_HEADERS, stream, STATUS_200);
		}

		void sendData(int stream, String text) throws IOException {
			frame(DATA, 0, stream, text.getBytes(StandardCharsets.UTF_8));
		}

		/**
		 * End a response.
		 */
		void end(int stream) throws IOException {
			frame(DATA, END_STREAM, stream, new byte[0]);
		}

		/**
		 * Refuse all streams of this connection.
		 */
		void goAway() throws IOException {
			frame(GOAWAY, 0, 0, new byte[8]);
		}

		private synchronized void frame(int type, int flags, int stream, byte[] payload) throws IOException {
			this.out.writeByte(payload.length >> 16);
			this.out.writeShort(payload.length);
			this.out.writeByte(type);
			this.out.writeByte(flags);
			this.out.writeInt(stream);
			this.out.write(payload);
			this.out.flush();
		}

		private record Frame(int type, int flags, int stream, byte[] payload) {
		}

	}

}
