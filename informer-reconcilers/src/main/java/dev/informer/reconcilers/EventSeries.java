/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reconcilers;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

import dev.informer.client.Moment;
import dev.informer.client.ObjectState;
import dev.informer.client.ResourceType;
import dev.informer.support.UntrustedText;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.EventsV1EventSeries;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Occurrences with the same identity, which one Event of Kubernetes counts. Guarded by
 * the lock of the {@link DefaultEventRecorder}.
 */
final class EventSeries {

	/** Time without an occurrence after which the next one is another Event. */
	private static final Duration END = Duration.ofMinutes(6);

	private static final Pattern NAME = Pattern
		.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private final Identity identity;

	private final V1ObjectReference regarding;

	private final String name;

	private Instant first;

	private Moment last;

	/** Note of the first occurrence that is not written; empty if there is none. */
	private String note = "";

	private long count;

	private long written;

	private boolean created;

	private int failures;

	private long due;

	/**
	 * Create a series without occurrences.
	 * @param number a number that no other series has
	 */
	EventSeries(Identity identity, V1ObjectReference regarding, long number, Moment now) {
		this.identity = identity;
		this.regarding = regarding;
		String unique = regarding.getName() + "." + Long.toHexString(number);
		// some objects have names that an Event cannot have
		this.name = NAME.matcher(unique).matches() ? unique : UUID.randomUUID().toString();
		this.first = now.time();
		this.last = now;
		this.due = now.nanoTime();
	}

	Identity identity() {
		return this.identity;
	}

	String namespace() {
		return Objects.requireNonNullElse(this.regarding.getNamespace(), "default");
	}

	boolean isOver(Moment now) {
		return now.nanoTime() - this.last.nanoTime() > END.toNanos();
	}

	void add(Moment now, String note) {
		if (this.count == 0) {
			this.first = now.time();
		}
		if (pending() == 0) {
			this.note = note;
		}
		this.last = now;
		this.count++;
	}

	long count() {
		return this.count;
	}

	/**
	 * Return the number of occurrences that the server has not counted.
	 */
	long pending() {
		return this.count - this.written;
	}

	/**
	 * Note that the server has counted occurrences.
	 */
	void written(long count) {
		this.written = count;
		this.created = true;
		this.failures = 0;
		forgetNote();
	}

	/**
	 * Forget the occurrences that are not written.
	 */
	void drop() {
		this.count = this.written;
		this.failures = 0;
		forgetNote();
	}

	private void forgetNote() {
		if (pending() == 0) {
			this.note = "";
		}
	}

	/**
	 * Return whether the server has the Event.
	 */
	boolean isCreated() {
		return this.created;
	}

	void created(boolean created) {
		this.created = created;
	}

	/**
	 * Count a failed write.
	 * @return the number of writes that have failed since the last success
	 */
	int fail() {
		this.failures++;
		return this.failures;
	}

	/**
	 * Return the time from which the next write may begin.
	 */
	long due() {
		return this.due;
	}

	void due(long nanoTime) {
		this.due = nanoTime;
	}

	/**
	 * Return the Event without a count.
	 */
	EventsV1Event event() {
		return new EventsV1Event().metadata(new V1ObjectMeta().namespace(namespace()).name(this.name))
			.eventTime(microTime(this.first))
			.type(this.identity.type())
			.reason(this.identity.reason())
			.action(this.identity.action())
			.note(this.note)
			.regarding(this.regarding);
	}

	/**
	 * Return the count; {@code null} for a single occurrence.
	 */
	@Nullable EventsV1EventSeries series() {
		return (this.count > 1) ? new EventsV1EventSeries().count((int) Math.min(this.count, Integer.MAX_VALUE))
			.lastObservedTime(microTime(this.last.time())) : null;
	}

	private static OffsetDateTime microTime(Instant time) {
		return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
	}

	/**
	 * Return a reference to an object.
	 * @throws IllegalArgumentException if the object does not name its resource, or has
	 * no name
	 */
	static V1ObjectReference reference(KubernetesObject object) {
		WriteTarget.requireWritable(object);
		ObjectState state = ObjectState.of(object);
		DynamicKubernetesObject untyped = (object instanceof DynamicKubernetesObject dynamic) ? dynamic : null;
		String apiVersion = (untyped != null) ? ObjectTree.text(untyped, "apiVersion") : object.getApiVersion();
		String kind = (untyped != null) ? ObjectTree.text(untyped, "kind") : object.getKind();
		if (apiVersion == null || apiVersion.isEmpty() || kind == null || kind.isEmpty()) {
			// objects of lists do not have them
			ResourceType<?> type = ResourceType.of(object.getClass());
			apiVersion = type.apiVersion();
			kind = type.kind();
		}
		if (state.name() == null || state.name().isEmpty()) {
			throw new IllegalArgumentException(
					"Cannot record an Event about a " + UntrustedText.of(kind) + " without a name. Set metadata.name.");
		}
		boolean namespaced = state.namespace() != null && !state.namespace().isEmpty();
		return new V1ObjectReference().apiVersion(apiVersion)
			.kind(kind)
			.namespace(namespaced ? state.namespace() : null)
			.name(state.name())
			.uid(state.uid());
	}

	/**
	 * What the occurrences of a series have in common.
	 */
	record Identity(String group, String kind, @Nullable String namespace, String name, @Nullable String uid,
			String type, String reason, String action) {

		static Identity of(V1ObjectReference regarding, String type, String reason, String action) {
			String apiVersion = regarding.getApiVersion();
			String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
			return new Identity(group, regarding.getKind(), regarding.getNamespace(), regarding.getName(),
					regarding.getUid(), type, reason, action);
		}

	}

}
