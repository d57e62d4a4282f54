/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.client;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import dev.informer.ResourceType;
import dev.informer.TimeSource;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.Pair;
import okhttp3.Call;
import okhttp3.Request;
import okhttp3.Response;
import okio.Timeout;
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

	/**
	 * Time that a watch may exceed its {@code timeoutSeconds} before its connection is
	 * considered dead.
	 */
	private static final Duration WATCH_GRACE = Duration.ofSeconds(30);

	private static final String[] AUTHENTICATIONS = { "BearerToken" };

	private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

	private final KubernetesConnection connection;

	private final String path;

	private final List<Pair> selectors = new ArrayList<>();

	private final WireFormat<T> format;

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
		if (labelSelector != null) {
			this.selectors.add(new Pair("labelSelector", labelSelector));
		}
		if (fieldSelector != null) {
			this.selectors.add(new Pair("fieldSelector", fieldSelector));
		}
	}

	@Override
	public ListPage list(ListRequest request, ListSink<T> sink, Cancellation cancellation) throws IOException {
		List<Pair> parameters = new ArrayList<>(this.selectors);
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
		Call call = KubernetesConnection.newCall(this.connection.listClient(),
				request(parameters, this.format.listMediaType()));
		Closeable cancelCall = call::cancel;
		cancellation.register(cancelCall);
		try (Response response = execute(call); InputStream body = response.body().byteStream()) {
			return this.format.readList(body, sink);
		}
		catch (InterruptedIOException ex) {
			this.connection.discardConnection(call);
			throw ex;
		}
		finally {
			cancellation.unregister(cancelCall);
		}
	}

	@Override
	public WatchStream<T> watch(WatchRequest request, Cancellation cancellation) throws IOException {
		List<Pair> parameters = new ArrayList<>(this.selectors);
		parameters.add(new Pair("watch", "true"));
		parameters.add(new Pair("allowWatchBookmarks", "true"));
		parameters.add(new Pair("resourceVersion", request.resourceVersion()));
		if (request.sendInitialEvents()) {
			parameters.add(new Pair("sendInitialEvents", "true"));
			parameters.add(new Pair("resourceVersionMatch", "NotOlderThan"));
		}
		long timeout = TimeSource.nanos(request.timeout());
		parameters.add(new Pair("timeoutSeconds", Long.toString(TimeUnit.NANOSECONDS.toSeconds(timeout))));
		Call call = KubernetesConnection.newCall(this.connection.watchClient(),
				request(parameters, this.format.watchMediaType()));
		call.timeout().timeout(timeout + TimeSource.nanos(WATCH_GRACE), TimeUnit.NANOSECONDS);
		cancellation.register(call::cancel);
		Response response = execute(call);
		try {
			return new CallWatchStream<>(this.connection, call, response.body().source().timeout(),
					this.format.readWatch(response.body().byteStream()));
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	private Request request(List<Pair> parameters, String mediaType) throws IOException {
		Map<String, String> headers = new HashMap<>(Map.of("Accept", mediaType));
		try {
			return this.connection.apiClient()
				.buildRequest(null, this.path, "GET", parameters, List.of(), null, headers, new HashMap<>(),
						new HashMap<>(), AUTHENTICATIONS, null);
		}
		catch (ApiException ex) {
			throw new IOException("Cannot build the request for " + this.path + ": " + ex.getMessage(), ex);
		}
	}

	private Response execute(Call call) throws IOException {
		Response response = call.execute();
		if (response.isSuccessful()) {
			return response;
		}
		try (response; InputStream body = response.body().byteStream()) {
			throw new ServerStatusException(withRetryAfter(this.format.readStatus(response.code(), body), response));
		}
	}

	private static ServerStatus withRetryAfter(ServerStatus status, Response response) {
		String header = response.header("Retry-After");
		if (header == null || !SECONDS.matcher(header).matches()) {
			return status;
		}
		return new ServerStatus(status.code(), status.reason(), status.message(), status.causes(),
				Duration.ofSeconds(Long.parseLong(header)));
	}

	/**
	 * Stream whose {@link #close()} cancels the call instead of reading the rest of it.
	 */
	private record CallWatchStream<T>(KubernetesConnection connection, Call call, Timeout readTimeout,
			WatchEventReader<T> events) implements WatchStream<T> {

		@Override
		public void idleTimeout(Duration limit) {
			this.readTimeout.timeout(TimeSource.millis(limit), TimeUnit.MILLISECONDS);
		}

		@Override
		public @Nullable WatchEvent<T> next() throws IOException {
			try {
				return this.events.next();
			}
			catch (InterruptedIOException ex) {
				this.connection.discardConnection(this.call);
				throw ex;
			}
		}

		@Override
		public void close() {
			this.call.cancel();
			this.events.close();
		}

	}

}
