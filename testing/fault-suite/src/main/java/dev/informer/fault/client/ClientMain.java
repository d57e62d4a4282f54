/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.fault.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.informer.fault.journal.JournalWriter;
import dev.informer.fault.server.CompleteFile;

/**
 * Main class of the process of a client. It ends with the process that started it.
 */
final class ClientMain {

	/** Name of the file with the journal. */
	static final String JOURNAL = "journal.txt";

	/** Name of the file with the ports, which exists as soon as the client has synced. */
	static final String READY = "ready.txt";

	/** Number of arguments before those of the connection. */
	private static final int CONNECTION = 1;

	/**
	 * Number of arguments before the coordination and the lease duration, which only a
	 * replica has.
	 */
	private static final int COORDINATION = CONNECTION + Connection.ARGUMENTS;

	private ClientMain() {
	}

	public static void main(String[] arguments) throws IOException {
		List<String> words = List.of(arguments);
		Path folder = Path.of(words.get(0));
		endWithParent();
		JournalClient client = client(words, new JournalWriter(folder.resolve(JOURNAL)));
		int port = new ControlServer(client).start();
		CompleteFile.write(folder.resolve(READY), port + " " + client.managementPort());
	}

	private static JournalClient client(List<String> words, JournalWriter journal) throws IOException {
		Connection connection = Connection.of(words.subList(CONNECTION, words.size()));
		if (words.size() == COORDINATION) {
			return JournalClient.ofEachReplica(connection, journal);
		}
		return JournalClient.ofReplica(connection, journal, Coordination.valueOf(words.get(COORDINATION)),
				new ReplicaDurations(Duration.parse(words.get(COORDINATION + 1))));
	}

	private static void endWithParent() {
		Thread thread = new Thread(() -> {
			try {
				System.in.transferTo(OutputStream.nullOutputStream());
			}
			catch (IOException ex) {
				// The parent has ended
			}
			Runtime.getRuntime().halt(1);
		}, "parent");
		thread.setDaemon(true);
		thread.start();
	}

}
