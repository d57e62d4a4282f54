/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.lease;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.informer.InformerEvent;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Cancellation;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.Moment;
import dev.informer.client.ServerStatusException;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Lease;
import org.jspecify.annotations.Nullable;

/**
 * Access to the Lease of this process, and to others that it watches. An update contains
 * the {@code resourceVersion} of the Lease that it replaces, so the server accepts it
 * only if no other process was faster. The Leases are watched by an informer. Its
 * connections are separate from those of other informers, so that a long list delays no
 * renewal. Failures are {@link ServerStatusException}s if the API server answers.
 */
final class LeaseClient {

	/**
	 * Format of {@code MicroTime}: the API server requires exactly six digits.
	 */
	private static final DateTimeFormatter MICRO_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'")
		.withZone(ZoneOffset.UTC);

	private static final int NOT_FOUND = 404;

	private static final String UNSEEN_CHANGE = "a change of a Lease, which the watch does not show";

	private final Supplier<ApiClient> apiClient;

	private final InformerFactory informers;

	private final SharedIndexInformer<V1Lease> informer;

	private final LeaseLocation location;

	private final Cancellation cancellation = new Cancellation();

	private final TimeSource time = TimeSource.SYSTEM;

	/** Content of the last answer. Confined to the thread of the requests. */
	private @Nullable LeaseRecord answered;

	/** Content in the watch at that time; confined like it. */
	private @Nullable LeaseRecord watched;

	/** Time of the last list because of missing changes; confined like it. */
	private @Nullable Long relisted;

	private @Nullable KubernetesConnection connection;

	private boolean closed;

	/** Whether the last list of the informer failed. */
	private volatile boolean listFailed;

	/**
	 * Whether the informer has its listener and its handler. Confined like the answers.
	 */
	private boolean listening;

	/**
	 * Create a client, which does not connect yet.
	 */
	LeaseClient(Supplier<ApiClient> apiClient, LeaseLocation location, ThreadFactory threads) {
		this.apiClient = apiClient;
		this.informers = InformerFactory.create(apiClient, (settings) -> settings.threadFactory(threads));
		this.informer = this.informers.informer(V1Lease.class,
				(builder) -> select(builder.name(location.purpose()).namespaces(location.namespace()), location));
		this.location = location;
	}

	private static void select(InformerOptions.Builder builder, LeaseLocation location) {
		if (location.labels().isEmpty()) {
			builder.fieldSelector("metadata.name=" + location.name());
		}
		else {
			builder.labelSelector(location.labels()
				.entrySet()
				.stream()
				.map((label) -> label.getKey() + "=" + label.getValue())
				.collect(Collectors.joining(",")));
		}
	}

	/**
	 * Read the current Lease, {@code null} if there is none.
	 */
	@Nullable Lease read() throws IOException {
		try {
			return answered(send("GET", path(), null));
		}
		catch (ServerStatusException ex) {
			if (ex.status().code() == NOT_FOUND) {
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Create the Lease. Fails with code 409 if it exists.
	 */
	Lease create(LeaseRecord record) throws IOException {
		JsonObject metadata = new JsonObject();
		metadata.addProperty("name", this.location.name());
		JsonObject object = new JsonObject();
		object.addProperty("apiVersion", "coordination.k8s.io/v1");
		object.addProperty("kind", "Lease");
		object.add("metadata", metadata);
		return written(send("POST", this.location.collection(), with(object, record)), record);
	}

	/**
	 * Replace the content of the Lease that was read or written last. Fails with code 409
	 * if it has changed. Like {@link #create}, fails with an
	 * {@link AlteredLeaseException} if others do not see what was written.
	 */
	Lease update(Lease current, LeaseRecord record) throws IOException {
		return written(send("PUT", path(), with(current.object().deepCopy(), record)), record);
	}

	/**
	 * Require that others see the Lease and its slots: a policy or a webhook may remove
	 * labels and annotations.
	 */
	private Lease written(Lease answer, LeaseRecord record) throws AlteredLeaseException {
		answered(answer);
		JsonObject metadata = answer.object().getAsJsonObject("metadata");
		for (Map.Entry<String, String> label : this.location.labels().entrySet()) {
			JsonObject labels = (metadata != null) ? metadata.getAsJsonObject("labels") : null;
			if (labels == null || !new JsonPrimitive(label.getValue()).equals(labels.get(label.getKey()))) {
				throw new AlteredLeaseException("the label " + label.getKey());
			}
		}
		if (!answer.record().slots().equals(record.slots())) {
			throw new AlteredLeaseException("the annotation " + LeaseRecord.SLOTS);
		}
		return answer;
	}

	/**
	 * List the Leases again if the watch does not show what answers have shown. Its
	 * connection may be half-open: bytes of the server vanish, and it takes long to find
	 * out that it is silent. Requests have other connections, which may work.
	 * <p>
	 * While watches fail but lists do not, a member lists after each of its writes, so
	 * that it learns of the others as often as it renews.
	 */
	private Lease answered(Lease answer) {
		LeaseRecord earlier = this.answered;
		LeaseRecord before = this.watched;
		LeaseRecord current = watched();
		this.answered = answer.record();
		this.watched = current;
		long now = this.time.nanoTime();
		// the watch can be ahead of the answers, and had no time yet to show the last one
		boolean missing = this.informer.hasSynced() && earlier != null && Objects.equals(before, current)
				&& !earlier.equals(current) && !answer.record().equals(current);
		boolean due = this.relisted == null || now - this.relisted >= TimeSource.nanos(this.location.timeout());
		if ((missing && due) || (isListedOnly() && !answer.record().equals(current))) {
			this.relisted = now;
			this.informer.relist(UNSEEN_CHANGE);
		}
		return answer;
	}

	/**
	 * Return whether the Leases of a group can be listed, but not watched now. A member
	 * of an election reads its Lease instead.
	 */
	private boolean isListedOnly() {
		return !this.location.labels().isEmpty() && this.informer.hasSynced() && !this.listFailed
				&& this.informer.state().phase() == Phase.BACKING_OFF;
	}

	private @Nullable LeaseRecord watched() {
		// the informer may have neither synced nor discovered the resource
		return this.informer.hasSynced() ? this.informer.lister()
			.get(this.location.namespace(), this.location.name())
			.map(LeaseRecord::of)
			.orElse(null) : null;
	}

	/**
	 * Return the Lease with a content, and with what others find and understand it by:
	 * someone may have removed that.
	 */
	private JsonObject with(JsonObject object, LeaseRecord record) {
		JsonObject spec = object.has("spec") ? object.getAsJsonObject("spec") : new JsonObject();
		spec.addProperty("holderIdentity", record.holder());
		spec.addProperty("leaseDurationSeconds", record.durationSeconds());
		addTime(spec, "acquireTime", record.acquireTime());
		addTime(spec, "renewTime", record.renewTime());
		spec.addProperty("leaseTransitions", record.transitions());
		object.add("spec", spec);
		add(object, "labels", this.location.labels());
		if (!record.slots().isEmpty()) {
			add(object, "annotations", Map.of(LeaseRecord.SLOTS, record.slots()));
		}
		return object;
	}

	private static void add(JsonObject object, String name, Map<String, String> values) {
		if (!values.isEmpty()) {
			JsonObject metadata = object.getAsJsonObject("metadata");
			JsonObject all = metadata.has(name) ? metadata.getAsJsonObject(name) : new JsonObject();
			values.forEach(all::addProperty);
			metadata.add(name, all);
		}
	}

	private static void addTime(JsonObject spec, String name, @Nullable Instant time) {
		if (time != null) {
			spec.addProperty(name, MICRO_TIME.format(time));
		}
	}

	/**
	 * Release a watched Lease, or delete it if it has no holder, unless its observed
	 * content has changed. By one request: a renewal waits for the end of it, and must
	 * not wait for two.
	 */
	void collect(String name, LeaseRecord record) throws IOException {
		V1Lease observed = this.informer.lister().get(this.location.namespace(), name).orElse(null);
		if (observed == null || !LeaseRecord.of(observed).equals(record)) {
			return;
		}
		String path = this.location.collection() + "/" + name;
		JsonObject current = JSON.getGson().toJsonTree(observed).getAsJsonObject();
		if (!record.holder().isEmpty()) {
			current.addProperty("apiVersion", "coordination.k8s.io/v1");
			current.addProperty("kind", "Lease");
			send("PUT", path, with(current, record.released()));
			return;
		}
		JsonObject preconditions = new JsonObject();
		preconditions.add("resourceVersion", current.getAsJsonObject("metadata").get("resourceVersion"));
		JsonObject options = new JsonObject();
		options.addProperty("apiVersion", "v1");
		options.addProperty("kind", "DeleteOptions");
		options.add("preconditions", preconditions);
		connection().send("DELETE", path, options, this.location.timeout(), this.cancellation);
	}

	private String path() {
		return this.location.collection() + "/" + this.location.name();
	}

	private Lease send(String method, String path, @Nullable JsonObject body) throws IOException {
		JsonObject answer = connection().send(method, path, body, this.location.timeout(), this.cancellation);
		try {
			return new Lease(LeaseRecord.of(JSON.getGson().fromJson(answer, V1Lease.class)), answer);
		}
		catch (RuntimeException ex) {
			// not as the cause: its message may quote the object
			throw new MalformedResponseException(
					"expected a Lease at " + path + ", got something else (" + ex.getClass().getSimpleName() + ")");
		}
	}

	private synchronized KubernetesConnection connection() throws IOException {
		KubernetesConnection current = this.connection;
		if (current == null) {
			if (this.closed) {
				throw new IOException("The connection for Leases is closed");
			}
			current = new KubernetesConnection(this.apiClient.get());
			this.connection = current;
		}
		return current;
	}

	/**
	 * Watch the Leases. Returns immediately. Can be called again if it throws.
	 * @param changed called after each change of {@link #leases()}
	 * @param state called after each change of {@link #isWatching()} and
	 * {@link #watchFailure()}
	 */
	void watch(Runnable changed, Runnable state) {
		if (!this.listening) {
			this.listening = true;
			this.informers.addListener((event) -> {
				if (event instanceof InformerEvent.Listed listed) {
					this.listFailed = !listed.success();
				}
				state.run();
			});
			this.informer.addHandler((event) -> changed.run());
		}
		this.informers.start();
	}

	/**
	 * Return the content of the watched Leases by name: a state that the API server had
	 * at one time, which may be in the past.
	 */
	Map<String, LeaseRecord> leases() {
		Map<String, LeaseRecord> leases = new HashMap<>();
		for (V1Lease lease : this.informer.lister().list()) {
			leases.put(Objects.requireNonNull(Objects.requireNonNull(lease.getMetadata()).getName()),
					LeaseRecord.of(lease));
		}
		return leases;
	}

	/**
	 * Return whether the watch has begun, so that {@link #leases()} is complete.
	 */
	boolean isWatching() {
		return this.informer.hasSynced();
	}

	/**
	 * Return the failure of the watch; empty if the watch works.
	 */
	Optional<LeaseFailure> watchFailure() {
		InformerState state = this.informer.state();
		InformerFailure failure = state.failure();
		if (failure == null || failure.kind() == InformerFailure.Kind.UNDECODABLE_OBJECT) {
			return Optional.empty();
		}
		// not since the last change of the phase: lists succeed in between
		Moment since = Objects.requireNonNullElse(state.failingSince(), state.since());
		return Optional.of(new LeaseFailure("The watch for the Lease fails: " + failure.message(), since,
				failure.kind() == InformerFailure.Kind.FORBIDDEN));
	}

	/**
	 * End the watch, and the requests that are running.
	 */
	void close() {
		this.cancellation.cancel();
		synchronized (this) {
			this.closed = true;
			if (this.connection != null) {
				this.connection.close();
			}
		}
		this.informers.close();
	}

}
