/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.docs.alarms;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Database and channel of the tests, which all replicas share. An application needs a
 * real database, because this one ends with the process.
 */
class SharedAlarms implements SentAlarms, DeploymentAlarms.Channel {

	private final Map<String, Sent> rows = new ConcurrentHashMap<>();

	private final List<String> messages = new CopyOnWriteArrayList<>();

	private final AtomicInteger comparisons = new AtomicInteger();

	private final AtomicInteger failingSends = new AtomicInteger();

	private final AtomicBoolean failingRecord = new AtomicBoolean();

	@Override
	public boolean isRaised(String uid) {
		this.comparisons.incrementAndGet();
		Sent sent = this.rows.get(uid);
		return sent != null && sent.raised();
	}

	@Override
	public boolean record(String uid, boolean raised, int fencingToken) {
		if (this.failingRecord.getAndSet(false)) {
			throw new IllegalStateException("The database has failed");
		}
		Sent sent = new Sent(raised, fencingToken);
		return this.rows.merge(uid, sent, SharedAlarms::later) == sent;
	}

	private static Sent later(Sent recorded, Sent sent) {
		return (recorded.raised() != sent.raised() && recorded.token() <= sent.token()) ? sent : recorded;
	}

	@Override
	public void send(String incident, String text) {
		if (this.failingSends.getAndUpdate((times) -> Math.max(0, times - 1)) > 0) {
			throw new IllegalStateException("The channel has failed");
		}
		this.messages.add(text);
	}

	List<String> messages() {
		return this.messages;
	}

	int comparisons() {
		return this.comparisons.get();
	}

	void failNextSends(int times) {
		this.failingSends.set(times);
	}

	void failNextRecord() {
		this.failingRecord.set(true);
	}

	private record Sent(boolean raised, int token) {
	}

}
