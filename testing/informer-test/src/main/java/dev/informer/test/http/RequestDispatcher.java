/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.informer.test.KubernetesStatusException;
import dev.informer.test.ReceivedRequest;
import dev.informer.test.Verb;
import dev.informer.test.operations.ObjectOperations;
import dev.informer.test.store.ListOptions;
import dev.informer.test.store.PageReader;
import dev.informer.test.store.ResourceTable;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.Store;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Entry point of all requests: parses the path, applies faults, checks access, dispatches
 * to the handler of the verb, and turns exceptions into {@code Status} objects.
 */
public final class RequestDispatcher implements EmbeddedHttpServer.Handler {

	private static final Logger logger = LoggerFactory.getLogger(RequestDispatcher.class);

	private final AccessCheck access;

	private final ResourceTable table;

	private final Watches watches;

	private final ObjectHandler objects;

	private final PageReader lists;

	private final RequestLog log;

	private volatile @Nullable Interceptor interceptor;

	public RequestDispatcher(AccessCheck access, ResourceTable table, Store store, ObjectOperations operations,
			Watches watches, RequestLog log) {
		this.access = access;
		this.table = table;
		this.watches = watches;
		this.objects = new ObjectHandler(store, operations);
		this.lists = new PageReader(store);
		this.log = log;
	}

	public void interceptor(Interceptor newInterceptor) {
		this.interceptor = newInterceptor;
	}

	@Override
	public void handle(ApiRequest request, ApiResponse response) throws IOException {
		try {
			route(request, response);
		}
		catch (KubernetesStatusException ex) {
			response.sendStatus(ex.status());
		}
		catch (RuntimeException ex) {
			logger.atError()
				.setCause(ex)
				.addKeyValue("method", request.method())
				.addKeyValue("path", request.path())
				.log("Embedded API server failed to handle a request");
			response.sendStatus(StatusErrors.internal("Internal error occurred: " + ex).status());
		}
	}

	private void route(ApiRequest request, ApiResponse response) throws IOException {
		List<String> segments = RequestPath.segments(request.path());
		int prefix = prefixLength(segments);
		RequestPath path = null;
		KubernetesStatusException unknown = null;
		if (prefix > 0 && segments.size() > prefix && isServed(segments, prefix)) {
			try {
				path = RequestPath.parse(this.table, (prefix == 3) ? segments.get(1) : "", segments.get(prefix - 1),
						segments.subList(prefix, segments.size()));
			}
			catch (KubernetesStatusException ex) {
				unknown = ex;
			}
		}
		ReceivedRequest received = received(request, path);
		this.log.add(received);
		Interceptor current = this.interceptor;
		if (current != null && current.intercept(received, response)) {
			return;
		}
		this.access.check(request, uncheckedPath(segments, prefix));
		if (unknown != null) {
			throw unknown;
		}
		if (path == null) {
			answerOther(request, segments, response);
		}
		else {
			answer(received.verb(), path, request, response);
		}
	}

	private void answer(Verb verb, RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		switch (verb) {
			case LIST -> list(path, request, response);
			case WATCH -> watch(path, request, response);
			case GET -> this.objects.get(path, request, response);
			case CREATE -> this.objects.create(path, request, response);
			case UPDATE -> this.objects.update(path, request, response);
			case PATCH -> this.objects.patch(path, request, response);
			case DELETE -> this.objects.delete(path, request, response);
			case DELETECOLLECTION -> this.objects.deleteCollection(path, request, response);
			// the real server has no paths of a custom resource in the other scope
			case OTHER -> throw (path.definition().builtIn() || path.inItsScope()) ? StatusErrors.methodNotAllowed()
					: StatusErrors.unknownResource();
		}
	}

	private void list(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		MediaType mediaType = MediaType.ofList(request.header("accept"), path.definition(), response.isJsonOnly());
		ListOptions listOptions = ListOptions.of(request.query(), path.definition());
		PageReader.Page page = this.lists.read(path.definition(), path.namespace(), listOptions);
		mediaType.sendList(page, path.definition(), response);
	}

	private void watch(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		MediaType mediaType = MediaType.negotiate(request.header("accept"), path.definition(), response.isJsonOnly());
		ListOptions listOptions = ListOptions.of(request.query(), path.definition());
		this.watches.serve(path, listOptions, mediaType, response);
	}

	private void answerOther(ApiRequest request, List<String> segments, ApiResponse response) throws IOException {
		String first = segments.isEmpty() ? "" : segments.get(0);
		if (first.equals("readyz") || first.equals("livez") || first.equals("healthz")) {
			response.send(200, ApiResponse.TEXT, "ok".getBytes(StandardCharsets.UTF_8));
			return;
		}
		if (first.equals("version") && segments.size() == 1) {
			response.sendJson(200, Discovery.version());
			return;
		}
		boolean core = first.equals("api");
		Optional<ObjectNode> found = Optional.empty();
		if ((core && segments.size() <= 2) || (first.equals("apis") && segments.size() <= 3)) {
			found = new Discovery(this.table, request.header("host")).find(segments);
		}
		if (found.isPresent()) {
			response.sendJson(200, found.get());
		}
		else if (core) {
			throw StatusErrors.unknownResource();
		}
		else {
			response.send(404, ApiResponse.TEXT, "404 page not found\n".getBytes(StandardCharsets.UTF_8),
					Map.of("X-Content-Type-Options", "nosniff"));
		}
	}

	/**
	 * Return the path whose permission is checked, even of an unknown resource: a user
	 * without permission gets 403, not 404.
	 */
	private static @Nullable RequestPath uncheckedPath(List<String> segments, int prefix) {
		return (prefix > 0 && segments.size() > prefix) ? RequestPath.unchecked((prefix == 3) ? segments.get(1) : "",
				segments.get(prefix - 1), segments.subList(prefix, segments.size())) : null;
	}

	/**
	 * Return the number of path segments up to and including the version: 2 in the core
	 * group, 3 in other groups, 0 if the path has neither.
	 */
	private static int prefixLength(List<String> segments) {
		if (segments.isEmpty()) {
			return 0;
		}
		return switch (segments.get(0)) {
			case "api" -> 2;
			case "apis" -> 3;
			default -> 0;
		};
	}

	private boolean isServed(List<String> segments, int prefix) {
		return this.table.hasGroupVersion((prefix == 3) ? segments.get(1) : "", segments.get(prefix - 1));
	}

	private static ReceivedRequest received(ApiRequest request, @Nullable RequestPath path) {
		String decoded = ApiRequest.decode(request.path());
		if (path == null) {
			return new ReceivedRequest(Verb.OTHER, request.method(), decoded, request.query(), request.headers(), "",
					"", "", "");
		}
		return new ReceivedRequest(path.verb(request), request.method(), decoded, request.query(), request.headers(),
				path.definition().resource(), path.namespace(), path.name(), path.subresource());
	}

	/**
	 * Check of the user of a request.
	 */
	public interface AccessCheck {

		/**
		 * Check that a request is of a known user with the permission for it.
		 * @param path the path under a group and version; {@code null} for other requests
		 * @throws KubernetesStatusException with 401 or 403 if not
		 */
		void check(ApiRequest request, @Nullable RequestPath path);

	}

	/**
	 * Answer in place of the correct one.
	 */
	public interface Interceptor {

		/**
		 * Answer a request, or corrupt the response that is sent later.
		 * @return whether the request has been answered
		 */
		boolean intercept(ReceivedRequest request, ApiResponse response) throws IOException;

	}

}
