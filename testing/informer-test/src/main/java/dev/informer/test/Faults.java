/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Makes an embedded server misbehave, on request. Thread-safe.
 */
public final class Faults {

	private final List<Planned> planned = new CopyOnWriteArrayList<>();

	private final EmbeddedHttpServer server;

	private final Watches watches;

	Faults(EmbeddedHttpServer server, Watches watches) {
		this.server = server;
		this.watches = watches;
	}

	/**
	 * Answers the next requests of a kind with a fault.
	 * @param times how many of them
	 * @param verb what they ask for
	 * @param resource of which resource, for instance {@code pods} or
	 * {@code deployments.apps}
	 * @param fault what they are answered with
	 */
	public void next(int times, Verb verb, String resource, Fault fault) {
		next(times, (request) -> request.verb() == verb && request.resource().equals(resource), fault);
	}

	/**
	 * Answers the next requests that match with a fault. Where several match, the one
	 * that was planned first comes first.
	 * @param times how many of them
	 * @param requests which requests
	 * @param fault what they are answered with
	 */
	public void next(int times, Predicate<ReceivedRequest> requests, Fault fault) {
		this.planned.add(new Planned(new AtomicInteger(times), requests, fault));
	}

	/**
	 * Answers requests of a kind with a fault until {@link #clear()} is called.
	 * @param verb what they ask for
	 * @param resource of which resource
	 * @param fault what they are answered with
	 */
	public void always(Verb verb, String resource, Fault fault) {
		next(Integer.MAX_VALUE, verb, resource, fault);
	}

	/**
	 * Answers correctly again. Connections stay refused until {@link #acceptConnections}.
	 */
	public void clear() {
		this.planned.clear();
	}

	/**
	 * Stops listening and resets all connections, as if the server had died.
	 */
	public void refuseConnections() {
		this.server.refuse();
	}

	/**
	 * Listens again, on the same port.
	 */
	public void acceptConnections() {
		this.server.open();
	}

	/**
	 * Resets the connection of every open watch.
	 */
	public void cutWatches() {
		this.watches.cut();
	}

	/**
	 * Ends every open watch as if its time were over.
	 */
	public void endWatches() {
		this.watches.end();
	}

	/**
	 * Makes every connection there is half-open: it stays, but nothing is answered or
	 * sent on it any more, as if the server's host had gone. New connections work.
	 */
	public void freezeConnections() {
		this.server.freezeConnections();
	}

	/**
	 * Leaves every open watch open, but sends nothing on it any more: no event and no
	 * bookmark, until its time is over. New watches work.
	 * @see Fault#silent()
	 */
	public void silenceWatches() {
		this.watches.silence();
	}

	/**
	 * Sends text on every open watch, between two events.
	 * @param text anything; an event of its own has to end with a line feed
	 */
	public void sendOnWatches(String text) {
		this.watches.send(text.getBytes(StandardCharsets.UTF_8));
	}

	Optional<Fault> take(ReceivedRequest request) {
		for (Planned candidate : this.planned) {
			if (candidate.requests().test(request)) {
				int left = candidate.left().getAndDecrement();
				if (left <= 1) {
					this.planned.remove(candidate);
				}
				if (left >= 1) {
					return Optional.of(candidate.fault());
				}
			}
		}
		return Optional.empty();
	}

	private record Planned(AtomicInteger left, Predicate<ReceivedRequest> requests, Fault fault) {
	}

}
