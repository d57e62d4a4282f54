/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import com.google.gson.JsonPrimitive;
import dev.informer.client.Moment;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
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

	/** Order in which series are written, which differs for any two. */
	static final Comparator<EventSeries> BY_DUE = (one, other) -> {
		int order = Long.signum(one.due - other.due);
		return (order != 0) ? order : Long.compare(one.number, other.number);
	};

	/**
	 * Time without an occurrence after which the count is written and the next one is
	 * another Event: {@code finishTime} of client-go.
	 * @see <a href=
	 * "https://github.com/kubernetes/client-go/blob/v0.36.3/tools/events/event_broadcaster.go">event_broadcaster.go</a>
	 */
	private static final long END = TimeUnit.MINUTES.toNanos(6);

	/**
	 * Maximum time until the count of a running series is written, {@code refreshTime} of
	 * client-go: half of the time after which API servers delete Events. Client-go writes
	 * the second occurrence at once and the next after that time; here the time doubles
	 * with each write, so that a new series can be watched.
	 */
	private static final long MAX_REFRESH = TimeUnit.MINUTES.toNanos(30);

	/** Minimum time between two writes of a series. */
	static final long MIN_REFRESH = TimeUnit.SECONDS.toNanos(1);

	private static final Pattern NAME = Pattern
		.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

	private final Identity identity;

	private final V1ObjectReference regarding;

	private final String name;

	private final long number;

	private Instant first;

	private Moment last;

	/** Note of the first occurrence that is not written; empty if there is none. */
	private String note = "";

	private long count;

	private long written;

	private boolean created;

	private int failures;

	private long due;

	/** Time until the next write, unless the series ends before. */
	private long refresh = MIN_REFRESH;

	private long refreshAt;

	/**
	 * Create a series without occurrences.
	 * @param number a number that no other series has
	 */
	EventSeries(Identity identity, V1ObjectReference regarding, long number, Moment now) {
		this.identity = identity;
		this.regarding = regarding;
		this.number = number;
		String unique = regarding.getName() + "." + Long.toHexString(number);
		// some objects have names that an Event cannot have
		this.name = NAME.matcher(unique).matches() ? unique : UUID.randomUUID().toString();
		this.first = now.time();
		this.last = now;
		this.due = now.nanoTime();
		this.refreshAt = this.due;
	}

	Identity identity() {
		return this.identity;
	}

	String namespace() {
		return this.identity.eventNamespace();
	}

	boolean isOver(Moment now) {
		return now.nanoTime() - this.last.nanoTime() > END;
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

	/**
	 * Postpone the next write to that of the refresh, or to the end of the series.
	 * @param last the time of the last occurrence
	 */
	void schedule(long last) {
		long next = (this.refreshAt - (last + END) < 0) ? this.refreshAt : last + END;
		this.due = (this.created && next - this.due > 0) ? next : this.due;
	}

	/**
	 * Return whether the series goes on, so that the write that was due at its end is
	 * postponed.
	 */
	boolean isContinued(long now) {
		if (this.failures == 0) {
			schedule(this.last.nanoTime());
		}
		return now - this.due < 0;
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
	void written(long count, long now) {
		this.refreshAt = now + this.refresh;
		this.refresh = Math.min(2 * this.refresh, MAX_REFRESH);
		this.due = now + MIN_REFRESH;
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
		if (object instanceof PartialObjectMetadata) {
			throw new IllegalArgumentException("Cannot record an Event about an object of "
					+ PartialObjectMetadata.class.getName() + ": it does not name its resource. Pass an object of the "
					+ "class of the resource, or a DynamicKubernetesObject.");
		}
		ObjectState state = ObjectState.of(object);
		DynamicKubernetesObject untyped = (object instanceof DynamicKubernetesObject dynamic) ? dynamic : null;
		String apiVersion = (untyped != null) ? text(untyped, "apiVersion") : object.getApiVersion();
		String kind = (untyped != null) ? text(untyped, "kind") : object.getKind();
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

	private static String text(DynamicKubernetesObject object, String property) {
		return (object.getRaw().get(property) instanceof JsonPrimitive text) ? text.getAsString() : "";
	}

	/**
	 * What the occurrences of a series have in common.
	 */
	record Identity(String group, String kind, @Nullable String namespace, String name, @Nullable String uid,
			String type, String reason, String action) {

		/**
		 * Return the namespace of the Event.
		 */
		String eventNamespace() {
			return Objects.requireNonNullElse(this.namespace, "default");
		}

		static Identity of(V1ObjectReference regarding, String type, String reason, String action) {
			String apiVersion = regarding.getApiVersion();
			String group = apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
			return new Identity(group, regarding.getKind(), regarding.getNamespace(), regarding.getName(),
					regarding.getUid(), type, reason, action);
		}

	}

}
