/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

import dev.informer.test.apply.UpdateScope;
import dev.informer.test.apply.Writer;
import dev.informer.test.operations.ObjectOperations;
import dev.informer.test.operations.Propagation;
import dev.informer.test.store.Json;
import dev.informer.test.store.ListOptions;
import dev.informer.test.store.PageReader;
import dev.informer.test.store.StatusErrors;
import dev.informer.test.store.Store;
import dev.informer.test.store.StoredObject;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Handler of requests that read or write single objects or delete collections.
 */
final class ObjectHandler {

	private static final String MERGE_PATCH = "application/merge-patch+json";

	private static final String JSON_PATCH = "application/json-patch+json";

	private static final String APPLY_PATCH = "application/apply-patch+yaml";

	/**
	 * Patch types that the real server supports and this one does not.
	 */
	private static final Set<String> OTHER_PATCHES = Set.of("application/strategic-merge-patch+json",
			"application/apply-patch+cbor");

	/**
	 * Resources whose deletion is answered with the object instead of a status.
	 */
	private static final Set<String> RETURN_DELETED = Set.of("pods", "services", "serviceaccounts", "podtemplates",
			"persistentvolumes", "persistentvolumeclaims", "resourcequotas", "csidrivers.storage.k8s.io",
			"csinodes.storage.k8s.io", "storageclasses.storage.k8s.io", "volumeattachments.storage.k8s.io",
			"deviceclasses.resource.k8s.io", "resourceclaims.resource.k8s.io", "resourceslices.resource.k8s.io",
			"resourceclaimtemplates.resource.k8s.io");

	private final Store store;

	private final ObjectOperations operations;

	ObjectHandler(Store store, ObjectOperations operations) {
		this.store = store;
		this.operations = operations;
	}

	void get(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		String version = request.query().getOrDefault("resourceVersion", "");
		long current = this.store.resourceVersion();
		if (version.matches("[0-9]{1,18}") && Long.parseLong(version) > current) {
			throw StatusErrors.tooLarge(Long.parseLong(version), current);
		}
		StoredObject object = this.store.get(path.definition(), path.key());
		if (object == null) {
			throw StatusErrors.notFound(path.definition(), path.name());
		}
		send(200, object, path, request, response);
	}

	void create(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		boolean dryRun = isDryRun("CreateOptions", request);
		send(201,
				this.operations.create(path.definition(), path.namespace(), body(path, request),
						Writer.of(request.query(), request.userAgent(), UpdateScope.OBJECT), dryRun),
				path, request, response);
	}

	void update(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		boolean dryRun = isDryRun("UpdateOptions", request);
		ObjectNode body = body(path, request);
		send(200, this.operations.update(path.definition(), path.key(), (previous) -> body,
				Writer.of(request.query(), request.userAgent(), scope(path)), dryRun), path, request, response);
	}

	void patch(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		boolean dryRun = isDryRun("PatchOptions", request);
		String type = request.header("content-type").split(";")[0].trim();
		if (type.equals(APPLY_PATCH)) {
			apply(path, request, response, dryRun);
			return;
		}
		UnaryOperator<ObjectNode> change = patch(type, request);
		if (request.query().containsKey("force")) {
			throw StatusErrors.invalid("meta.k8s.io", "PatchOptions", "", "FieldValueForbidden", "force",
					"Forbidden: may not be specified for non-apply patch");
		}
		send(200, this.operations.patch(path.definition(), path.key(), change,
				Writer.of(request.query(), request.userAgent(), scope(path)), dryRun), path, request, response);
	}

	private void apply(RequestPath path, ApiRequest request, ApiResponse response, boolean dryRun) throws IOException {
		Writer writer = Writer.applying(request.query(), request.userAgent(), scope(path));
		boolean force = ListOptions.flag(request.query().get("force"));
		ObjectOperations.Applied applied = this.operations.apply(path.definition(), path.key(),
				applyPatch(request.body()), writer, force, dryRun);
		send(applied.created() ? 201 : 200, applied.object(), path, request, response);
	}

	private static UnaryOperator<ObjectNode> patch(String type, ApiRequest request) {
		if (type.equals(MERGE_PATCH)) {
			ObjectNode patch = parsePatch(request.body());
			return (previous) -> Json.merge(previous, patch);
		}
		if (type.equals(JSON_PATCH)) {
			return JsonPatch.parse(request.body())::apply;
		}
		throw OTHER_PATCHES.contains(type)
				? StatusErrors.unsupportedMediaType(
						"the body of the request was in an unknown format - accepted media types include: " + JSON_PATCH
								+ ", " + MERGE_PATCH + ", " + APPLY_PATCH,
						false)
				: StatusErrors.unsupportedMediaType("415: Unsupported Media Type", true);
	}

	void delete(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		JsonNode options = deleteOptions(path, request);
		ObjectOperations.Deletion deletion = this.operations.delete(path.definition(), path.key(),
				options.path("preconditions"), Propagation.of(options), isDryRun(options, request));
		if (deletion.gone() && !RETURN_DELETED.contains(path.definition().resource())) {
			response.sendJson(200, StatusErrors.deleted(deletion.object()));
		}
		else {
			send(200, deletion.object(), path, request, response);
		}
	}

	void deleteCollection(RequestPath path, ApiRequest request, ApiResponse response) throws IOException {
		ListOptions options = ListOptions.of(request.query(), path.definition());
		JsonNode deleteOptions = deleteOptions(path, request);
		List<StoredObject> deleted = this.operations.deleteCollection(path.definition(), path.namespace(),
				options.selector(), Propagation.of(deleteOptions), isDryRun(deleteOptions, request));
		MediaType.ofList(request.header("accept"), path.definition(), response.isJsonOnly())
			.sendList(new PageReader.Page(deleted, this.store.resourceVersion(), "", null), path.definition(),
					response);
	}

	private static JsonNode deleteOptions(RequestPath path, ApiRequest request) {
		if (request.body().length > 0) {
			return body(path, request);
		}
		ObjectNode options = Json.object();
		String orphan = request.query().get("orphanDependents");
		if (orphan != null) {
			options.put("orphanDependents", ListOptions.flag(orphan));
		}
		return options.put("propagationPolicy", request.query().getOrDefault("propagationPolicy", ""));
	}

	/**
	 * Return whether a deletion is a dry run. The options in the body, if any, replace
	 * those in the query.
	 */
	private static boolean isDryRun(JsonNode options, ApiRequest request) {
		if (request.body().length == 0) {
			return isDryRun("DeleteOptions", request);
		}
		boolean dryRun = false;
		for (JsonNode value : options.path("dryRun")) {
			dryRun |= isDryRun("DeleteOptions", value.asString(""));
		}
		return dryRun;
	}

	private static boolean isDryRun(String optionsKind, ApiRequest request) {
		Writer.check(request.query(), optionsKind);
		String value = request.query().getOrDefault("dryRun", "");
		return !value.isEmpty() && isDryRun(optionsKind, value);
	}

	private static boolean isDryRun(String optionsKind, String value) {
		if (value.equals("All")) {
			return true;
		}
		throw StatusErrors.invalid("meta.k8s.io", optionsKind, "", "FieldValueNotSupported", "dryRun",
				"Unsupported value: " + StatusErrors.quoted(value) + ": supported values: \"All\"");
	}

	private static UpdateScope scope(RequestPath path) {
		return path.subresource().isEmpty() ? UpdateScope.OBJECT : UpdateScope.STATUS;
	}

	private static void send(int status, StoredObject object, RequestPath path, ApiRequest request,
			ApiResponse response) throws IOException {
		Representation representation = Representation.ofObject(request.header("accept"), path.definition());
		ByteArrayOutputStream body = new ByteArrayOutputStream(1024);
		representation.write(object, path.definition(), body);
		body.write('\n');
		response.send(status, ApiResponse.JSON, body.toByteArray());
	}

	private static ObjectNode body(RequestPath path, ApiRequest request) {
		String type = request.header("content-type");
		if (!type.isEmpty() && !type.startsWith("application/json")) {
			throw StatusErrors.unsupportedMediaType("the body of the request was in an unknown format - accepted media "
					+ "types include: application/json", false);
		}
		try {
			if (Json.MAPPER.readTree(request.body()) instanceof ObjectNode object) {
				return object;
			}
		}
		catch (JacksonException ex) {
			// rejected below
		}
		throw StatusErrors.badRequest("the object provided is unrecognized (must be of type " + path.definition().kind()
				+ "): couldn't get version/kind; json parse error: " + "unexpected end of JSON input ("
				+ new String(request.body(), StandardCharsets.UTF_8) + ")");
	}

	private static ObjectNode applyPatch(byte[] body) {
		try {
			if (Json.MAPPER.readTree(body) instanceof ObjectNode object) {
				return object;
			}
		}
		catch (JacksonException ex) {
			// rejected below
		}
		throw StatusErrors
			.badRequest("error decoding YAML: the embedded server reads JSON only. Send the patch as JSON, "
					+ "which is YAML, too.");
	}

	private static ObjectNode parsePatch(byte[] body) {
		JsonNode patch = JsonPatch.read(body);
		if (patch instanceof ObjectNode object) {
			return object;
		}
		throw StatusErrors.badRequest("error decoding patch: json: cannot unmarshal "
				+ (patch.isArray() ? "array" : "value") + " into Go value of type map[string]interface {}");
	}

}
