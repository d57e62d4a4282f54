/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Open watches of a server. Thread-safe.
 */
final class Watches {

	private final Set<ServerWatch> open = ConcurrentHashMap.newKeySet();

	void run(ServerWatch watch) throws IOException {
		this.open.add(watch);
		try {
			watch.run();
		}
		finally {
			this.open.remove(watch);
		}
	}

	int count() {
		return this.open.size();
	}

	int count(String resource) {
		return (int) this.open.stream().filter((watch) -> watch.resource().equals(resource)).count();
	}

	void cut() {
		this.open.forEach(ServerWatch::cut);
	}

	void end() {
		this.open.forEach(ServerWatch::end);
	}

	void stall() {
		this.open.forEach(ServerWatch::stall);
	}

	void send(byte[] bytes) {
		this.open.forEach((watch) -> watch.send(bytes));
	}

}
