package dev.informer.test;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The metadata that the server itself reads and writes.
 */
final class ObjectMetadata {

	private static final List<String> ORDER = List.of("name", "generateName", "namespace", "selfLink", "uid",
			"resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
			"labels", "annotations", "ownerReferences", "finalizers", "managedFields");

	private static final List<String> OWNED_BY_SERVER = List.of("uid", "creationTimestamp", "deletionTimestamp",
			"deletionGracePeriodSeconds", "generation", "generateName", "selfLink");

	private ObjectMetadata() {
	}

	static String now() {
		return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
	}

	/**
	 * The order of Go's fields, which is what the real server's JSON has.
	 */
	static ObjectNode ordered(ResourceDefinition definition, ObjectNode tree) {
		ObjectNode result = Json.object();
		result.put("kind", definition.kind());
		result.put("apiVersion", definition.apiVersion());
		ObjectNode metadata = result.putObject("metadata");
		JsonNode source = tree.path("metadata");
		for (String name : ORDER) {
			JsonNode value = source.get(name);
			if (value != null && !value.isNull() && !(value.isContainer() && value.isEmpty())) {
				metadata.set(name, value);
			}
		}
		tree.forEachEntry((name, value) -> {
			if (!result.has(name)) {
				result.set(name, value);
			}
		});
		return result;
	}

	/**
	 * Gives an object that replaces another one what only the server decides.
	 */
	static void inherit(ObjectNode metadata, JsonNode previous) {
		for (String name : OWNED_BY_SERVER) {
			JsonNode value = previous.get(name);
			if (value != null) {
				metadata.set(name, value);
			}
			else {
				metadata.remove(name);
			}
		}
	}

	static boolean isBeingDeleted(ObjectNode tree) {
		return tree.path("metadata").hasNonNull("deletionTimestamp");
	}

	static boolean hasFinalizers(ObjectNode tree) {
		return !tree.path("metadata").path("finalizers").isEmpty();
	}

	static void markDeleted(ObjectNode tree) {
		ObjectNode metadata = Json.childObject(tree, "metadata");
		metadata.put("deletionTimestamp", now());
		metadata.put("deletionGracePeriodSeconds", 0);
		bumpGeneration(metadata);
	}

	static void bumpGeneration(ObjectNode metadata) {
		if (metadata.path("generation").asLong(0) > 0) {
			metadata.put("generation", metadata.path("generation").asLong(0) + 1);
		}
	}

}
