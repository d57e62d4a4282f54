/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.ObjectCopy;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWriteException;
import dev.informer.writer.ObjectWriter;
import dev.informer.writer.WriteFailures;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.EventsV1Event;

/**
 * Writer to a server that has nothing but Events. A test decides which requests fail.
 */
final class FakeEventServer implements ObjectWriter {

	private final Map<String, EventsV1Event> events = new LinkedHashMap<>();

	private final List<Request> requests = new CopyOnWriteArrayList<>();

	private final TimeSource time;

	private volatile Behaviour behaviour = (request) -> {
	};

	private volatile boolean losingAnswers;

	FakeEventServer(TimeSource time) {
		this.time = time;
	}

	void behave(Behaviour behaviour) {
		this.behaviour = behaviour;
	}

	/**
	 * Answer all requests with a failure.
	 */
	void refuse(int code, String reason, String message) {
		behave((request) -> {
			throw refusal(request, code, reason, message);
		});
	}

	void disconnect() {
		behave((request) -> {
			throw unanswered(request);
		});
	}

	void accept() {
		behave((request) -> {
		});
	}

	/**
	 * Carry requests out, but do not answer.
	 */
	void loseAnswers(boolean losing) {
		this.losingAnswers = losing;
	}

	List<Request> requests() {
		return this.requests;
	}

	synchronized List<EventsV1Event> events() {
		return List.copyOf(this.events.values());
	}

	synchronized void deleteEvents() {
		this.events.clear();
	}

	/**
	 * Return the number of all occurrences that the Events count.
	 */
	long occurrences() {
		return events().stream().mapToLong(FakeEventServer::count).sum();
	}

	static long count(EventsV1Event event) {
		return (event.getSeries() != null) ? event.getSeries().getCount() : 1;
	}

	static ObjectWriteException refusal(Request request, int code, String reason, String message) {
		return WriteFailures.of(request.operation(), request.event(),
				new ServerStatusException(new ServerStatus(code, reason, message, List.of(), null)));
	}

	static ObjectWriteException unanswered(Request request) {
		return WriteFailures.of(request.operation(), request.event(), new IOException("connection refused"));
	}

	@Override
	public <T extends KubernetesObject> T create(T desired) throws ObjectWriteException {
		boolean lost = this.losingAnswers;
		Request request = request(Operation.CREATE, desired);
		synchronized (this) {
			if (this.events.putIfAbsent(request.name(), request.event()) != null) {
				throw refusal(request, 409, "AlreadyExists", "events.events.k8s.io already exists");
			}
		}
		answer(request, lost);
		return desired;
	}

	@Override
	public <T extends KubernetesObject> T patch(T object, Consumer<T> change) throws ObjectWriteException {
		T changed = ObjectCopy.of(object);
		change.accept(changed);
		if (changed.equals(object)) {
			return object;
		}
		boolean lost = this.losingAnswers;
		Request request = request(Operation.PATCH, changed);
		synchronized (this) {
			EventsV1Event current = this.events.get(request.name());
			if (current == null) {
				throw refusal(request, 404, "NotFound", "events.events.k8s.io not found");
			}
			current.setSeries(request.event().getSeries());
		}
		answer(request, lost);
		return changed;
	}

	private Request request(Operation operation, KubernetesObject object) throws ObjectWriteException {
		Request request = new Request(operation, (EventsV1Event) object, this.time.nanoTime());
		this.requests.add(request);
		this.behaviour.handle(request);
		return request;
	}

	private static void answer(Request request, boolean lost) throws ObjectWriteException {
		if (lost) {
			throw unanswered(request);
		}
	}

	@Override
	public ObjectWriter withFieldManager(String fieldManager) {
		throw new UnsupportedOperationException();
	}

	@Override
	public ObjectWriter withAdoption() {
		throw new UnsupportedOperationException();
	}

	@Override
	public ObjectWriter withConflicts() {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T extends KubernetesObject> T create(T desired, KubernetesObject owner) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T extends KubernetesObject> T apply(T desired) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T extends KubernetesObject> T apply(T desired, KubernetesObject owner) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T extends KubernetesObject> T update(T object) {
		throw new UnsupportedOperationException();
	}

	@Override
	public <T extends KubernetesObject> T updateStatus(T object) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean delete(KubernetesObject object) {
		throw new UnsupportedOperationException();
	}

	public boolean deleteUnchanged(KubernetesObject object) {
		throw new UnsupportedOperationException();
	}

	/**
	 * Decision about a request.
	 */
	@FunctionalInterface
	interface Behaviour {

		void handle(Request request) throws ObjectWriteException;

	}

	/**
	 * Request that was received.
	 *
	 * @param operation the operation
	 * @param event the Event as sent
	 * @param nanos the time
	 */
	record Request(Operation operation, EventsV1Event event, long nanos) {

		String name() {
			return this.event.getMetadata().getNamespace() + "/" + this.event.getMetadata().getName();
		}

	}

}
