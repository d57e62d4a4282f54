/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.informer.client.ObjectLookup.Found;
import io.kubernetes.client.openapi.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Lister and watcher that sends requests over a {@link KubernetesConnection} and decodes
 * the responses with a {@link WireFormat}. Thread-safe.
 *
 * @param <T> the type of the objects
 * @see <a href= "https://kubernetes.io/docs/reference/using-api/api-concepts/">Kubernetes
 * API Concepts</a>
 */
public final class ApiListerWatcher<T> implements ListerWatcher<T> {

	private static final int NOT_FOUND = 404;

	private static final String METADATA_LIST = ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

	private final KubernetesConnection connection;

	private final String path;

	private final List<Pair> selectors = new ArrayList<>();

	private final WireFormat<T> format;

	private final ResourceType<?> resourceType;

	private final @Nullable String namespace;

	private volatile @Nullable String encoding;

	/**
	 * Create a lister and watcher of one resource.
	 * @param connection the connection to the API server
	 * @param resourceType the resource
	 * @param namespace the namespace; {@code null} for all of them
	 * @param labelSelector the label selector; {@code null} for none
	 * @param fieldSelector the field selector; {@code null} for none
	 * @param format the format of the responses
	 */
	public ApiListerWatcher(KubernetesConnection connection, ResourceType<?> resourceType, @Nullable String namespace,
			@Nullable String labelSelector, @Nullable String fieldSelector, WireFormat<T> format) {
		this.connection = connection;
		this.path = resourceType.path(namespace);
		this.format = format;
		this.resourceType = resourceType;
		this.namespace = namespace;
		if (labelSelector != null) {
			this.selectors.add(new Pair("labelSelector", labelSelector));
		}
		if (fieldSelector != null) {
			this.selectors.add(new Pair("fieldSelector", fieldSelector));
		}
	}

	@Override
	public ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException {
		String mediaType = listMediaType(request);
		try {
			return list(request, mediaType, sink, cancellation);
		}
		catch (ServerStatusException ex) {
			if (this.namespace != null && ex.status().code() == NOT_FOUND) {
				// a cluster-scoped resource has no paths with a namespace
				new ResourceDiscovery(this.connection).verifyScope(this.resourceType, true, cancellation);
			}
			if (!this.format.refused(mediaType, ex.status())) {
				throw ex;
			}
			return list(request, listMediaType(request), sink, cancellation);
		}
	}

	private ListPage list(ListRequest request, String mediaType, ListSink<T> sink, Cancellation cancellation)
			throws IOException {
		IdentityCheck identities = newCheck(cancellation);
		ListPage page;
		try (ServerCall call = this.connection.newCall("GET", this.path, parameters(request), null,
				Map.of("Accept", mediaType), CallLimits.LIST, cancellation)) {
			InputStream body = call.open(this.format::readStatus);
			page = formatOf(call).readList(body, new CheckedSink<>(sink, request.selector(), identities));
			call.complete();
		}
		identities.verifyScope();
		return page;
	}

	private IdentityCheck newCheck(Cancellation cancellation) {
		return new IdentityCheck(this.connection, this.resourceType, this.namespace, cancellation);
	}

	private List<Pair> parameters(ListRequest request) {
		List<Pair> parameters = parameters(request.selector());
		String version = request.resourceVersion();
		if (version != null) {
			parameters.add(new Pair("resourceVersion", version));
		}
		if (request.limit() > 0) {
			parameters.add(new Pair("limit", Integer.toString(request.limit())));
			if (version != null && !version.isEmpty() && !version.equals("0")) {
				// a limit without it means "Exact":
				// https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list
				parameters.add(new Pair("resourceVersionMatch", "NotOlderThan"));
			}
		}
		if (request.continueToken() != null) {
			parameters.add(new Pair("continue", request.continueToken()));
		}
		return parameters;
	}

	private List<Pair> parameters(@Nullable ObjectSelector selector) {
		List<Pair> parameters = new ArrayList<>(this.selectors);
		if (selector != null) {
			selector.parameters().forEach((name, value) -> parameters.add(new Pair(name, value)));
		}
		return parameters;
	}

	private String listMediaType(ListRequest request) {
		String mediaType = this.format.listMediaType();
		if (!request.metadataOnly() || mediaType.contains(";")) {
			return mediaType;
		}
		// A server that cannot leave anything out sends entire objects.
		return mediaType.replace(",", METADATA_LIST + ",") + METADATA_LIST + "," + mediaType;
	}

	private WireFormat<T> formatOf(ServerCall call) {
		WireFormat<T> answered = this.format.forContentType(call.contentType());
		this.encoding = answered.encoding();
		return answered;
	}

	@Override
	public WatchStream<T> watch(WatchRequest request, ObjectLookup<T> known, Cancellation cancellation)
			throws IOException {
		String mediaType = this.format.watchMediaType();
		try {
			return watch(request, mediaType, known, cancellation);
		}
		catch (ServerStatusException ex) {
			if (!this.format.refused(mediaType, ex.status())) {
				throw ex;
			}
			return watch(request, this.format.watchMediaType(), known, cancellation);
		}
	}

	/**
	 * Watch without compression. Since version 1.37, kube-apiserver compresses a
	 * streaming list and ends the gzip member whenever it has nothing to send, but OkHttp
	 * reads one member only.
	 * @see <a href="https://github.com/square/okhttp/issues/3759">OkHttp: members of
	 * gzip</a>
	 */
	private WatchStream<T> watch(WatchRequest request, String mediaType, ObjectLookup<T> known,
			Cancellation cancellation) throws IOException {
		Duration timeout = Duration.ofNanos(TimeSource.nanos(request.timeout()));
		ServerCall call = this.connection.newCall("GET", this.path, parameters(request, timeout), null,
				Map.of("Accept", mediaType, "Accept-Encoding", "identity"), CallLimits.ofWatch(timeout), cancellation);
		try {
			InputStream body = call.open(this.format::readStatus);
			ObjectSelector selector = request.selector();
			return new CallWatchStream<>(call,
					formatOf(call).readWatch(body, (selector != null) ? new SelectedLookup<>(known, selector) : known),
					selector, newCheck(cancellation));
		}
		catch (IOException | RuntimeException | Error ex) {
			call.close();
			throw ex;
		}
	}

	private List<Pair> parameters(WatchRequest request, Duration timeout) {
		List<Pair> parameters = parameters(request.selector());
		parameters.add(new Pair("watch", "true"));
		parameters.add(new Pair("allowWatchBookmarks", "true"));
		parameters.add(new Pair("resourceVersion", request.resourceVersion()));
		if (request.sendInitialEvents()) {
			parameters.add(new Pair("sendInitialEvents", "true"));
			parameters.add(new Pair("resourceVersionMatch", "NotOlderThan"));
		}
		parameters.add(new Pair("timeoutSeconds", Long.toString(timeout.toSeconds())));
		return parameters;
	}

	@Override
	public Optional<String> encoding() {
		return Optional.ofNullable(this.encoding);
	}

	private static boolean isExcluded(@Nullable ObjectSelector selector, ObjectState state) {
		return selector != null && selector.excludes(state);
	}

	private record SelectedLookup<T>(ObjectLookup<T> known, ObjectSelector selector) implements ObjectLookup<T> {

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			return isExcluded(this.selector, state) ? Found.unwanted() : this.known.find(state);
		}

		@Override
		public boolean shares() {
			return this.known.shares();
		}

		@Override
		public @Nullable T earlier(ObjectState state) {
			return this.known.earlier(state);
		}

		@Override
		public @Nullable Meter<T> meter() {
			return this.known.meter();
		}

	}

	/**
	 * Sink of the items of a selector, whether or not the server has applied its
	 * selector, whose names are accepted.
	 */
	private record CheckedSink<T>(ListSink<T> sink, @Nullable ObjectSelector selector,
			IdentityCheck identities) implements ListSink<T> {

		@Override
		public @Nullable Found<T> find(ObjectState state) {
			return isExcluded(this.selector, state) ? Found.unwanted() : this.sink.find(state);
		}

		@Override
		public boolean shares() {
			return this.sink.shares();
		}

		@Override
		public @Nullable T earlier(ObjectState state) {
			return this.sink.earlier(state);
		}

		@Override
		public @Nullable Meter<T> meter() {
			return this.sink.meter();
		}

		@Override
		public void accept(T object) {
			UndecodableObject undecodable = this.identities.undecodable(object);
			if (undecodable != null) {
				this.sink.acceptUndecodable(undecodable);
			}
			else {
				this.sink.accept(object);
			}
		}

		@Override
		public void acceptUndecodable(UndecodableObject object) {
			if (!isExcluded(this.selector, object.state())) {
				this.sink.acceptUndecodable(this.identities.withoutInvalidName(object));
			}
		}

	}

	private record CallWatchStream<T>(ServerCall call, WatchEventReader<T> events, @Nullable ObjectSelector selector,
			IdentityCheck identities) implements WatchStream<T> {

		@Override
		public void idleTimeout(Duration limit) {
			this.call.idleTimeout(limit);
		}

		@Override
		public Duration silence() {
			return this.call.silence();
		}

		@Override
		public @Nullable WatchEvent<T> next() throws IOException {
			WatchEvent<T> event = checked(this.events.next());
			this.identities.verifyScope();
			return event;
		}

		private @Nullable WatchEvent<T> checked(@Nullable WatchEvent<T> event) {
			if (event instanceof WatchEvent.Change<T> change) {
				UndecodableObject undecodable = this.identities.undecodable(change.object());
				return (undecodable != null) ? new WatchEvent.Undecodable<>(change.type(), undecodable) : event;
			}
			if (event instanceof WatchEvent.Undecodable<T> broken) {
				return isExcluded(this.selector, broken.state())
						? new WatchEvent.Unwanted<>(broken.type(), broken.state()) : new WatchEvent.Undecodable<>(
								broken.type(), this.identities.withoutInvalidName(broken.object()));
			}
			return event;
		}

		@Override
		public void close() {
			this.call.close();
			this.events.close();
		}

	}

}
