/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import dev.informer.test.http.ApiResponse;
import dev.informer.test.http.EmbeddedHttpServer;
import dev.informer.test.http.Watches;
import org.jspecify.annotations.Nullable;

/**
 * Simulation of server and network failures. Thread-safe.
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
	 * Answer the next requests with the given verb and resource with a fault.
	 * @param times the number of requests
	 * @param verb the verb
	 * @param resource the resource, for instance {@code pods} or {@code deployments.apps}
	 * @param fault the fault
	 */
	public void next(int times, Verb verb, String resource, Fault fault) {
		next(times, (request) -> request.verb() == verb && request.resource().equals(resource), fault);
	}

	/**
	 * Answer the next matching requests with a fault. If several faults match a request,
	 * the one added first applies.
	 * @param times the number of requests
	 * @param requests the condition on requests
	 * @param fault the fault
	 */
	public void next(int times, Predicate<ReceivedRequest> requests, Fault fault) {
		this.planned.add(new Planned(new AtomicInteger(times), requests, fault));
	}

	/**
	 * Answer all requests with the given verb and resource with a fault, until
	 * {@link #clear()} is called.
	 * @param verb the verb
	 * @param resource the resource
	 * @param fault the fault
	 */
	public void always(Verb verb, String resource, Fault fault) {
		next(Integer.MAX_VALUE, verb, resource, fault);
	}

	/**
	 * Remove all faults for requests. Connections stay refused until
	 * {@link #acceptConnections} is called.
	 */
	public void clear() {
		this.planned.clear();
	}

	/**
	 * Stop listening and reset all connections, as if the server had crashed.
	 */
	public void refuseConnections() {
		this.server.refuse();
	}

	/**
	 * Listen on the same port again.
	 */
	public void acceptConnections() {
		this.server.open();
	}

	/**
	 * Reset the connections of all open watches.
	 */
	public void cutWatches() {
		this.watches.cut();
	}

	/**
	 * End all open watches, as if their timeout had expired.
	 */
	public void endWatches() {
		this.watches.end();
	}

	/**
	 * Make all open connections half-open: they stay established, but nothing is answered
	 * or sent on them, as if the server's host had lost power. New connections work.
	 */
	public void freezeConnections() {
		this.server.freezeConnections();
	}

	/**
	 * Send nothing on the open watches, neither events nor bookmarks, until their timeout
	 * expires. New watches work.
	 * @see Fault#stalled()
	 */
	public void stallWatches() {
		this.watches.stall();
	}

	/**
	 * Send text on all open watches, between two events. A watch in protobuf encodes a
	 * complete event; other text makes it unreadable.
	 * @param text the text; a complete event must end with a line feed
	 */
	public void sendOnWatches(String text) {
		this.watches.send(text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Let the first fault that matches a request answer it.
	 * @return whether the request has been answered
	 */
	boolean answer(ReceivedRequest request, ApiResponse response) throws IOException {
		Fault fault = take(request);
		return fault != null && fault.answer(request, response);
	}

	private @Nullable Fault take(ReceivedRequest request) {
		for (Planned candidate : this.planned) {
			if (candidate.requests().test(request)) {
				int left = candidate.left().getAndDecrement();
				if (left <= 1) {
					this.planned.remove(candidate);
				}
				if (left >= 1) {
					return candidate.fault();
				}
			}
		}
		return null;
	}

	private record Planned(AtomicInteger left, Predicate<ReceivedRequest> requests, Fault fault) {
	}

}
