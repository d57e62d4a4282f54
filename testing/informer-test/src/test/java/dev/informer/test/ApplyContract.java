/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test;

import java.util.ArrayList;
import java.util.List;

import dev.informer.test.store.Json;
import dev.informer.test.store.ObjectMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of server-side apply and of the owners of fields.
 */
interface ApplyContract extends ContractCases {

	String FORCE = "&force=true";

	private static String configMap(String data) {
		return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":" + data + "}";
	}

	private TestClient.Answer apply(String manager, String data) {
		return client().apply(configMaps() + "/a", "fieldManager=" + manager, configMap(data));
	}

	private JsonNode applied(String manager, String data) {
		TestClient.Answer answer = apply(manager, data);
		assertThat(answer.code()).as(answer.body()).isIn(200, 201);
		return answer.json();
	}

	private JsonNode get() {
		return client().get(configMaps() + "/a").json();
	}

	/**
	 * Return the owners as manager, operation, subresource and fields.
	 */
	private static List<String> owners(JsonNode object) {
		List<String> owners = new ArrayList<>();
		for (JsonNode entry : object.path("metadata").path("managedFields")) {
			String subresource = Json.text(entry, "subresource");
			owners.add(Json.text(entry, "manager") + " " + Json.text(entry, "operation")
					+ (subresource.isEmpty() ? "" : " " + subresource) + " " + entry.path("fieldsV1"));
		}
		return owners.stream().sorted().toList();
	}

	@Test
	default void appliedObject_isCreatedWithAnOwner() {
		TestClient.Answer answer = apply("ann", "{\"x\":\"1\"}");
		assertThat(answer.code()).isEqualTo(201);
		JsonNode entry = answer.json().path("metadata").path("managedFields").path(0);
		assertThat(entry.propertyNames()).containsExactly("manager", "operation", "apiVersion", "time", "fieldsType",
				"fieldsV1");
		assertThat(Json.text(entry, "apiVersion")).isEqualTo("v1");
		assertThat(Json.text(entry, "time")).matches("[0-9-]{10}T[0-9:]{8}Z");
		assertThat(owners(answer.json())).containsExactly("ann Apply {\"f:data\":{\"f:x\":{}}}");
		assertThat(get()).isEqualTo(answer.json());
	}

	@Test
	default void createdObject_isOwnedByItsCreator() {
		JsonNode created = created(configMaps() + "?fieldManager=ann",
				"{\"metadata\":{\"name\":\"a\",\"labels\":{\"l\":\"1\"}},\"data\":{\"x\":\"1\"}}");
		assertThat(owners(created)).containsExactly("ann Update {\"f:data\":{\".\":{},\"f:x\":{}},"
				+ "\"f:metadata\":{\"f:labels\":{\".\":{},\"f:l\":{}}}}");
		TestClient.Answer agent = client().send("POST", configMaps(), "{\"metadata\":{\"name\":\"b\"},\"data\":{}}",
				"application/json", "User-Agent", "some-controller/v1 (linux)");
		assertThat(agent.json().path("metadata").has("managedFields")).as("nothing to own").isFalse();
		TestClient.Answer patched = client().send("PATCH", configMaps() + "/a", "{\"data\":{\"y\":\"1\"}}",
				"application/merge-patch+json", "User-Agent", "some-controller/v1 (linux)");
		assertThat(owners(patched.json())).contains("some-controller Update {\"f:data\":{\"f:y\":{}}}");
	}

	@Test
	default void valueOfAnotherApplier_isAConflict() {
		JsonNode before = applied("ann", "{\"x\":\"1\"}");
		TestClient.Answer answer = apply("bob", "{\"x\":\"2\"}");
		assertThat(answer.code()).isEqualTo(409);
		assertThat(answer.body()).isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
				+ "\"status\":\"Failure\",\"message\":\"Apply failed with 1 conflict: conflict with \\\"ann\\\": .data.x\","
				+ "\"reason\":\"Conflict\",\"details\":{\"causes\":[{\"reason\":\"FieldManagerConflict\","
				+ "\"message\":\"conflict with \\\"ann\\\"\",\"field\":\".data.x\"}]},\"code\":409}\n");
		assertThat(get()).isEqualTo(before);
	}

	@Test
	default void valuesOfSeveralOwners_areListedByOwner() {
		applied("ann", "{\"x\":\"1\",\"y\":\"1\"}");
		client().send("PATCH", configMaps() + "/a?fieldManager=cat", "{\"data\":{\"z\":\"1\"}}",
				"application/merge-patch+json");
		TestClient.Answer answer = apply("bob", "{\"x\":\"2\",\"y\":\"2\",\"z\":\"2\"}");
		assertThat(answer.message()).isEqualTo("Apply failed with 3 conflicts: conflicts with \"ann\":\n- .data.x\n"
				+ "- .data.y\nconflicts with \"cat\" using v1:\n- .data.z");
		assertThat(answer.json().path("details").path("causes")).hasSize(3);
	}

	private TestClient.Answer applyWith(String name, String metadata) {
		return client().apply(configMaps() + "/" + name, "fieldManager=ann" + FORCE,
				"{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"," + metadata
						+ "}}");
	}

	private static String controller(String name) {
		return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"" + name + "\",\"uid\":\"" + name
				+ "\",\"controller\":true}";
	}

	/**
	 * A version that no object has lets an apply create an object, but not change one.
	 */
	@Test
	default void uidAndVersionOfAnApply_arePreconditions() {
		String never = "\"resourceVersion\":\"9223372036854775807\"";
		JsonNode created = applyWith("a", never).json();
		String uid = Json.text(created.path("metadata"), "uid");
		TestClient.Answer existing = applyWith("a", never);
		assertThat(existing.code()).isEqualTo(409);
		assertThat(existing.message())
			.isEqualTo("Operation cannot be fulfilled on configmaps \"a\": the object has been "
					+ "modified; please apply your changes to the latest version and try again");
		assertThat(applyWith("a", "\"uid\":\"" + uid + "\"").code()).isEqualTo(200);
		TestClient.Answer other = applyWith("a", "\"uid\":\"123\"");
		assertThat(other.code()).isEqualTo(422);
		assertThat(other.message())
			.isEqualTo("ConfigMap \"a\" is invalid: metadata.uid: Invalid value: \"123\": " + "field is immutable");
		TestClient.Answer missing = applyWith("b", "\"uid\":\"123\"");
		assertThat(missing.code()).isEqualTo(409);
		assertThat(missing.message()).isEqualTo("Operation cannot be fulfilled on configmaps \"b\": uid mismatch: the "
				+ "provided object specified uid 123, and no existing object was found");
		assertThat(get()).isEqualTo(created);
	}

	@Test
	default void secondController_isInvalid() {
		String own = controller("x");
		assertThat(applyWith("a", "\"ownerReferences\":[" + own + "]").code()).isEqualTo(201);
		TestClient.Answer answer = client().apply(configMaps() + "/a", "fieldManager=bob" + FORCE,
				"{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"ownerReferences\":["
						+ controller("y") + "]}}");
		assertThat(answer.code()).isEqualTo(422);
		assertThat(answer.message()).isEqualTo("ConfigMap \"a\" is invalid: metadata.ownerReferences: Invalid value: ["
				+ own + "," + controller("y") + "]: Only one reference can have Controller set to true. "
				+ "Found \"true\" in references for ConfigMap/x and ConfigMap/y");
		JsonNode replaced = applyWith("a", "\"ownerReferences\":[" + controller("y") + "]").json();
		assertThat(replaced.path("metadata").path("ownerReferences")).as("of the same manager").hasSize(1);
	}

	@Test
	default void forcedApply_takesTheFields() {
		applied("ann", "{\"x\":\"1\",\"y\":\"1\"}");
		TestClient.Answer answer = client().apply(configMaps() + "/a", "fieldManager=bob" + FORCE,
				configMap("{\"x\":\"2\"}"));
		assertThat(answer.code()).isEqualTo(200);
		assertThat(owners(answer.json())).containsExactly("ann Apply {\"f:data\":{\"f:y\":{}}}",
				"bob Apply {\"f:data\":{\"f:x\":{}}}");
	}

	@Test
	default void fieldThatIsNoLongerApplied_isRemovedUnlessShared() {
		applied("ann", "{\"x\":\"1\",\"y\":\"1\"}");
		JsonNode shared = applied("bob", "{\"y\":\"1\"}");
		assertThat(owners(shared)).containsExactly("ann Apply {\"f:data\":{\"f:x\":{},\"f:y\":{}}}",
				"bob Apply {\"f:data\":{\"f:y\":{}}}");
		JsonNode one = applied("ann", "{}");
		assertThat(one.path("data").toString()).isEqualTo("{\"y\":\"1\"}");
		assertThat(owners(one)).containsExactly("ann Apply {\"f:data\":{}}", "bob Apply {\"f:data\":{\"f:y\":{}}}");
		JsonNode none = applied("bob", "{}");
		assertThat(none.has("data")).isFalse();
	}

	@Test
	default void applyThatChangesNothing_keepsVersionAndTimes() throws InterruptedException {
		JsonNode before = applied("ann", "{\"x\":\"1\"}");
		awaitExternal().until(() -> !ObjectMetadata.now()
			.equals(Json.text(before.path("metadata").path("managedFields").path(0), "time")));
		assertThat(applied("ann", "{\"x\":\"1\"}")).isEqualTo(before);
		assertThat(get()).isEqualTo(before);
	}

	@Test
	default void updateOfAnAppliedField_takesIt() {
		applied("ann", "{\"x\":\"1\",\"y\":\"1\"}");
		JsonNode updated = client().put(configMaps() + "/a?fieldManager=bob", configMap("{\"x\":\"2\",\"y\":\"1\"}"))
			.json();
		assertThat(owners(updated)).containsExactly("ann Apply {\"f:data\":{\"f:y\":{}}}",
				"bob Update {\"f:data\":{\"f:x\":{}}}");
		JsonNode removed = client().mergePatch(configMaps() + "/a?fieldManager=cat", "{\"data\":null}").json();
		assertThat(owners(removed)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "[{}]", "[]" })
	default void resetOwners_areGone(String managedFields) {
		applied("ann", "{\"x\":\"1\"}");
		JsonNode reset = client()
			.mergePatch(configMaps() + "/a", "{\"metadata\":{\"managedFields\":" + managedFields + "}}")
			.json();
		assertThat(owners(reset)).isEmpty();
		TestClient.Answer answer = apply("bob", "{\"x\":\"2\"}");
		assertThat(answer.message())
			.isEqualTo("Apply failed with 1 conflict: conflict with \"before-first-apply\" using v1: .data.x");
		assertThat(owners(applied("bob", "{\"x\":\"1\"}"))).containsExactly(
				"before-first-apply Update {\"f:data\":{\".\":{},\"f:x\":{}}}", "bob Apply {\"f:data\":{\"f:x\":{}}}");
	}

	@Test
	default void elevenUpdaters_areTen() {
		created(configMaps() + "?fieldManager=m0", configMap("{\"k0\":\"1\"}"));
		JsonNode object = get();
		for (int i = 1; i <= 10; i++) {
			object = client().mergePatch(configMaps() + "/a?fieldManager=m" + i, "{\"data\":{\"k" + i + "\":\"1\"}}")
				.json();
		}
		assertThat(owners(object)).hasSize(10)
			.filteredOn((owner) -> owner.startsWith("ancient-changes Update "))
			.hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					fieldManager=          | {"apiVersion":"v1","kind":"ConfigMap"} | 422 | PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch
					fieldManager=ann       | {"apiVersion":"v1","kind":"Secret"} | 400 | invalid object type: /v1, Kind=Secret
					fieldManager=ann       | {"apiVersion":"v1","kind":"ConfigMap","metadata":{"managedFields":[]}} | 400 | metadata.managedFields must be nil
					fieldManager=ann       | {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"}} | 400 | the name of the object (b) does not match the name on the URL (a)
					fieldManager=ann       | {"apiVersion":"v1","kind":"ConfigMap"} | 400 | the name of the object (a based on URL) was undeterminable: name must be provided
					fieldManager=ann       | {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"other"}} | 400 | the namespace of the provided object does not match the namespace sent on the request
					fieldManager=ann       | {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"spec":{}} | 500 | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .spec: field not declared in schema
					fieldManager=ann       | {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":1}} | 500 | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .data.x: expected string, got &value.valueUnstructured{Value:1}
					fieldManager=ann       | {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":["example.com/x","example.com/x"]}} | 500 | failed to create typed patch object (/a; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="example.com/x"]
					""")
	default void invalidApply_isRejected(String query, String body, int code, String message) {
		TestClient.Answer answer = client().apply(configMaps() + "/a", query, body);
		assertThat(answer.message()).isEqualTo(message);
		assertThat(answer.code()).isEqualTo(code);
	}

	@Test
	default void forceWithoutApply_isInvalid() {
		create("a", "x", "1");
		TestClient.Answer answer = client().mergePatch(configMaps() + "/a?force=true", "{}");
		assertThat(answer.code()).isEqualTo(422);
		assertThat(answer.message()).isEqualTo("PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may not be "
				+ "specified for non-apply patch");
	}

	@Test
	default void applyInDryRun_isAnsweredAndNotStored() {
		assertThat(client().apply(configMaps() + "/a", "fieldManager=ann&dryRun=All", configMap("{}")).code())
			.isEqualTo(201);
		assertThat(client().get(configMaps() + "/a").code()).isEqualTo(404);
	}

	@Test
	default void staleApply_isAConflict() {
		applied("ann", "{\"x\":\"1\"}");
		TestClient.Answer stale = client().apply(configMaps() + "/a", "fieldManager=ann",
				"""
						{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","resourceVersion":"1"},"data":{"x":"2"}}""");
		assertThat(stale.code()).isEqualTo(409);
		assertThat(stale.message())
			.startsWith("Operation cannot be fulfilled on configmaps \"a\": the object has been " + "modified");
	}

	@Test
	default void status_isAppliedSeparately() {
		String deployments = "/apis/apps/v1/namespaces/" + namespace() + "/deployments/web";
		TestClient.Answer missing = client().apply(deployments + "/status", "fieldManager=bob",
				"{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"status\":{\"replicas\":3}}");
		assertThat(missing.code()).isEqualTo(404);
		JsonNode applied = client().apply(deployments, "fieldManager=ann", WriteContract.DEPLOYMENT).json();
		assertThat(applied.path("status").isEmpty()).isTrue();
		assertThat(owners(applied)).containsExactly("ann Apply {\"f:spec\":{\"f:replicas\":{},\"f:selector\":{},"
				+ "\"f:template\":{\"f:metadata\":{\"f:labels\":{\"f:app\":{}}},\"f:spec\":{\"f:containers\":"
				+ "{\"k:{\\\"name\\\":\\\"c\\\"}\":{\".\":{},\"f:image\":{},\"f:name\":{}}}}}}}");
		JsonNode status = client()
			.apply(deployments + "/status", "fieldManager=bob",
					"""
							{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","annotations":{"example.com/x":"1"}},\
							"spec":{"replicas":9},"status":{"replicas":3}}""")
			.json();
		assertThat(status.path("spec").path("replicas").asInt()).isEqualTo(1);
		assertThat(status.path("status").path("replicas").asInt()).isEqualTo(3);
		assertThat(status.path("metadata").path("generation").asInt()).isEqualTo(1);
		assertThat(owners(status)).hasSize(2)
			.last()
			.isEqualTo("bob Apply status {\"f:metadata\":{\"f:annotations\":{\"f:example.com/x\":{}}},"
					+ "\"f:status\":{\"f:replicas\":{}}}");
		TestClient.Answer conflict = client().apply(deployments + "/status", "fieldManager=cat",
				"{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"status\":{\"replicas\":4}}");
		assertThat(conflict.message()).isEqualTo("Apply failed with 1 conflict: conflict with \"bob\" with subresource "
				+ "\"status\": .status.replicas");
	}

	@Test
	default void portsOfAService_areKeyedByPortAndProtocol() {
		String service = path("services") + "/s";
		String ports = """
				{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[%s]}}""";
		client().apply(service, "fieldManager=ann",
				ports.formatted("{\"name\":\"a\",\"port\":9},{\"name\":\"b\",\"port\":80}"));
		JsonNode both = client()
			.apply(service, "fieldManager=bob", ports.formatted("{\"name\":\"c\",\"port\":9,\"protocol\":\"UDP\"}"))
			.json();
		assertThat(both.path("spec").path("ports")).hasSize(3);
		assertThat(owners(both)).containsExactly(
				"ann Apply {\"f:spec\":{\"f:ports\":{\"k:{\\\"port\\\":9,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},"
						+ "\"f:name\":{},\"f:port\":{}},\"k:{\\\"port\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},"
						+ "\"f:name\":{},\"f:port\":{}}}}}",
				"bob Apply {\"f:spec\":{\"f:ports\":{\"k:{\\\"port\\\":9,\\\"protocol\\\":\\\"UDP\\\"}\":{\".\":{},"
						+ "\"f:name\":{},\"f:port\":{},\"f:protocol\":{}}}}}");
		TestClient.Answer conflict = client().apply(service, "fieldManager=bob",
				ports.formatted("{\"name\":\"c\",\"port\":80}"));
		assertThat(conflict.message()).isEqualTo(
				"Apply failed with 1 conflict: conflict with \"ann\": " + ".spec.ports[port=80,protocol=\"TCP\"].name");
	}

	@Test
	default void finalizers_areASet() {
		String body = """
				{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","finalizers":[%s]}}""";
		client().apply(configMaps() + "/a", "fieldManager=ann", body.formatted("\"example.com/a\""));
		JsonNode both = client().apply(configMaps() + "/a", "fieldManager=bob", body.formatted("\"example.com/b\""))
			.json();
		assertThat(ObjectMetadata.finalizers((ObjectNode) both)).containsExactly("example.com/a", "example.com/b");
		assertThat(owners(both)).containsExactly(
				"ann Apply {\"f:metadata\":{\"f:finalizers\":{\"v:\\\"example.com/a\\\"\":{}}}}",
				"bob Apply {\"f:metadata\":{\"f:finalizers\":{\"v:\\\"example.com/b\\\"\":{}}}}");
		client().mergePatch(configMaps() + "/a", "{\"metadata\":{\"finalizers\":null}}");
	}

	@Test
	default void customLists_areMergedByTheirDefinition() {
		String widget = defineWidgets() + "/w";
		String body = "{\"apiVersion\":\"" + widgetGroup()
				+ "/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"},\"spec\":%s}";
		client().apply(widget, "fieldManager=ann", body.formatted(
				"""
						{"tags":["x"],"parts":[{"name":"p","size":1}],"steps":["1"],"color":{"r":1},"free":{"a":{"b":[{"c":[[1],{"d":1}]}]}}}"""));
		JsonNode both = client().apply(widget, "fieldManager=bob", body.formatted("""
				{"tags":["y"],"parts":[{"name":"q","size":2}]}""")).json();
		assertThat(both.path("spec").path("tags").toString()).isEqualTo("[\"x\",\"y\"]");
		assertThat(both.path("spec").path("parts")).hasSize(2);
		assertThat(owners(both)).containsExactly(
				"ann Apply {\"f:spec\":{\"f:color\":{},\"f:free\":{\"f:a\":{\".\":{},\"f:b\":{}}},\"f:parts\":"
						+ "{\"k:{\\\"name\\\":\\\"p\\\"}\":{\".\":{},\"f:name\":{},\"f:size\":{}}},\"f:steps\":{},"
						+ "\"f:tags\":{\"v:\\\"x\\\"\":{}}}}",
				"bob Apply {\"f:spec\":{\"f:parts\":{\"k:{\\\"name\\\":\\\"q\\\"}\":{\".\":{},\"f:name\":{},"
						+ "\"f:size\":{}}},\"f:tags\":{\"v:\\\"y\\\"\":{}}}}");
		TestClient.Answer conflict = client().apply(widget, "fieldManager=bob", body.formatted("""
				{"steps":["2"],"color":{"g":1},"free":{"a":{"b":[{"c":[[2],{"d":1}]}]}}}"""));
		assertThat(conflict.message()).isEqualTo("Apply failed with 3 conflicts: conflicts with \"ann\":\n"
				+ "- .spec.color\n- .spec.steps\n- .spec.free.a.b");
	}

	private String widgetGroup() {
		return namespace() + ".example.com";
	}

	private String defineWidgets() {
		created(CustomResourceContract.DEFINITIONS, """
				{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
				 "metadata":{"name":"widgets.%1$s"},
				 "spec":{"group":"%1$s","scope":"Namespaced","names":{"plural":"widgets","kind":"Widget"},
				  "versions":[{"name":"v1","served":true,"storage":true,
				   "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{
				    "tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
				    "parts":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],
				     "items":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},
				      "size":{"type":"integer"}}}},
				    "steps":{"type":"array","items":{"type":"string"}},
				    "color":{"type":"object","x-kubernetes-map-type":"atomic",
				     "properties":{"r":{"type":"integer"},"g":{"type":"integer"}}},
				    "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}}}]}}"""
			.formatted(widgetGroup()));
		String path = "/apis/" + widgetGroup() + "/v1/namespaces/" + namespace() + "/widgets";
		awaitExternal().until(() -> client().get(path).code() == 200);
		return path;
	}

	@Test
	default void foregroundDeletion_waitsForItsFinalizer() {
		create("a", "x", "1");
		JsonNode marked = client()
			.send("DELETE", configMaps() + "/a", "{\"propagationPolicy\":\"Foreground\"}", "application/json")
			.json();
		assertThat(marked.path("metadata").path("finalizers").toString()).isEqualTo("[\"foregroundDeletion\"]");
		assertThat(marked.path("metadata").has("deletionTimestamp")).isTrue();
		assertThat(client().delete(configMaps() + "/a?propagationPolicy=Background").code()).isEqualTo(200);
		assertThat(client().get(configMaps() + "/a").code()).isEqualTo(404);
	}

	@Test
	default void unknownPropagation_isInvalid() {
		create("a", "x", "1");
		assertThat(client().delete(configMaps() + "/a?propagationPolicy=Some").code()).isEqualTo(422);
		assertThat(client().delete(configMaps() + "/a?propagationPolicy=Orphan&orphanDependents=true").code())
			.isEqualTo(422);
	}

}
