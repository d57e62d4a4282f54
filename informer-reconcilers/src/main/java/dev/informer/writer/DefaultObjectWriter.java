/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.writer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.informer.InformerFactory;
import dev.informer.ObjectCopy;
import dev.informer.SharedIndexInformer;
import dev.informer.client.FailureReason;
import dev.informer.client.ObjectKey;
import dev.informer.client.ObjectState;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceDiscovery;
import dev.informer.client.ResourceType;
import dev.informer.client.ServerStatus;
import dev.informer.client.ServerStatusException;
import dev.informer.client.json.JsonWireFormat;
import dev.informer.client.type.ValueType;
import dev.informer.support.UntrustedText;
import dev.informer.work.FollowedCache;
import dev.informer.writer.ObjectWrite.Operation;
import dev.informer.writer.ObjectWrite.Outcome;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Default {@link ObjectWriter}.
 */
final class DefaultObjectWriter implements ObjectWriter {

	private static final Logger logger = LoggerFactory.getLogger(ObjectWriter.class);

	/** Listeners of the threads. */
	static final ThreadLocal<WriteListener> LISTENER = ThreadLocal.withInitial(() -> new WriteListener() {
	});

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final Pattern FIELD_MANAGER = Pattern.compile("[\\p{Print}&&[^\\s]][\\p{Print}]{0,127}");

	private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,18}");

	/** Number of requests after which an object that changes is left to the caller. */
	private static final int MAX_ATTEMPTS = 3;

	private static final int NOT_FOUND = 404;

	private static final int CONFLICT = 409;

	/** A timeout (504), for example: the server may carry out the request. */
	private static final int REQUEST_TIMEOUT = 408;

	private static final int SERVER_ERROR = 500;

	private static final String OTHER_UID = "the UID in the precondition";

	private static final String STATUS = "status";

	private static final Set<String> SET_METADATA = Set.of("labels", "annotations", "finalizers", "ownerReferences");

	private static final String JSON = "application/json";

	private static final String APPLY_PATCH = "application/apply-patch+yaml";

	private static final String MERGE_PATCH = "application/merge-patch+json";

	private final Shared shared;

	private final String fieldManager;

	private final boolean force;

	private final boolean adopting;

	DefaultObjectWriter(InformerFactory factory, String fieldManager, List<WriteInterceptor> interceptors) {
		this(new Shared(factory, interceptors), fieldManager, true, false);
	}

	private DefaultObjectWriter(Shared shared, String fieldManager, boolean force, boolean adopting) {
		if (fieldManager == null || !FIELD_MANAGER.matcher(fieldManager).matches()) {
			throw new IllegalArgumentException(
					"The name of a field manager must have 1 to 128 printable characters. Use the name of the application.");
		}
		this.shared = shared;
		this.fieldManager = fieldManager;
		this.force = force;
		this.adopting = adopting;
	}

	@Override
	public ObjectWriter withFieldManager(String fieldManager) {
		return new DefaultObjectWriter(this.shared, fieldManager, this.force, this.adopting);
	}

	@Override
	public ObjectWriter withConflicts() {
		return new DefaultObjectWriter(this.shared, this.fieldManager, false, this.adopting);
	}

	@Override
	public ObjectWriter withAdoption() {
		return new DefaultObjectWriter(this.shared, this.fieldManager, this.force, true);
	}

	@Override
	public <T extends KubernetesObject> T create(T desired) throws ObjectWriteException {
		return createOwned(desired, null);
	}

	@Override
	public <T extends KubernetesObject> T create(T desired, KubernetesObject owner) throws ObjectWriteException {
		WriteTarget.requireArgument(Operation.CREATE, "owner", owner);
		return createOwned(desired, owner);
	}

	private <T extends KubernetesObject> T createOwned(T desired, @Nullable KubernetesObject owner)
			throws ObjectWriteException {
		WriteTarget.requireArgument(Operation.CREATE, "desired", desired);
		WriteTarget<T> target = target(Operation.CREATE, desired, owner);
		JsonObject tree = desiredTree(target, desired, owner);
		metadata(tree).remove("resourceVersion");
		boolean status = hasStatus(target, Operation.CREATE, desired, tree);
		return write(Operation.CREATE, target, () -> {
			Result<T> result = sent("POST", Operation.CREATE, target, Map.of(), JSON, ObjectTree.bytes(tree), false);
			requireStored(target, Operation.CREATE, tree, status, result.object());
			return result;
		});
	}

	@Override
	public <T extends KubernetesObject> T apply(T desired) throws ObjectWriteException {
		return applyOwned(desired, null);
	}

	@Override
	public <T extends KubernetesObject> T apply(T desired, KubernetesObject owner) throws ObjectWriteException {
		WriteTarget.requireArgument(Operation.APPLY, "owner", owner);
		return applyOwned(desired, owner);
	}

	private <T extends KubernetesObject> T applyOwned(T desired, @Nullable KubernetesObject owner)
			throws ObjectWriteException {
		WriteTarget.requireArgument(Operation.APPLY, "desired", desired);
		WriteTarget<T> target = target(Operation.APPLY, desired, owner);
		JsonObject tree = desiredTree(target, desired, owner);
		boolean status = hasStatus(target, Operation.APPLY, desired, tree);
		byte[] body = ObjectTree.bytes(tree);
		String key = this.fieldManager + " " + target.path(Operation.APPLY);
		OwnerClaim claim = (owner != null) ? claim(target, String.valueOf(ObjectState.of(owner).uid())) : null;
		return write(Operation.APPLY, target, () -> {
			long epoch = this.shared.epoch(target);
			T cached = this.shared.cached(target);
			if (cached != null && this.shared.applied.isApplied(key, epoch, body, cached)) {
				return new Result<>(Outcome.UNCHANGED, ObjectCopy.of(cached));
			}
			boolean repeated = this.shared.applied.isRepeated(key, body);
			this.shared.applied.forget(key);
			byte[] answer = (claim != null) ? sendOwned(claim, key, tree, cached) : sendApply(target, body);
			Result<T> result = read(Operation.APPLY, target, answer);
			requireStored(target, Operation.APPLY, tree, status, result.object());
			this.shared.applied.applied(key, epoch, body, result.object());
			return (repeated && isContested(target, key, cached, answer))
					? new Result<>(Outcome.CONTESTED, result.object()) : result;
		});
	}

	private OwnerClaim claim(WriteTarget<?> target, String owner) {
		return new OwnerClaim(target, owner, this.adopting || LISTENER.get().adopts(owner));
	}

	private byte[] sendApply(WriteTarget<?> target, byte[] body) throws IOException {
		return send("PATCH", Operation.APPLY, target, Map.of("force", Boolean.toString(this.force)), APPLY_PATCH, body,
				true);
	}

	/**
	 * Apply an object for its owner, with what is known of the object as a precondition.
	 * The server is asked for the object only if it refuses that, if a transform may have
	 * removed the controller, or if something was applied before that is not cached.
	 */
	private byte[] sendOwned(OwnerClaim claim, String key, JsonObject tree, @Nullable KubernetesObject cached)
			throws IOException, ObjectWriteException {
		WriteTarget<?> target = claim.target();
		boolean known = (cached != null) ? ObjectState.controller(cached).isPresent()
				: !this.shared.applied.isKnown(key);
		KubernetesObject object = known ? cached : this.shared.find(target);
		JsonObject body = claim.body(tree, object);
		for (int attempt = 1;; attempt++) {
			try {
				byte[] answer = sendApply(target, ObjectTree.bytes(body));
				if (object != null && ObjectState.controller(object).isEmpty()) {
					logger.info("Field manager '{}' has adopted {}, which existed without a controller",
							UntrustedText.of(this.fieldManager), target.describe());
				}
				return answer;
			}
			catch (ServerStatusException ex) {
				if (attempt == MAX_ATTEMPTS || !OwnerClaim.isRefused(ex.status())) {
					throw ex;
				}
				object = this.shared.find(target);
				JsonObject refused = body;
				body = claim.body(tree, object);
				if (body.equals(refused)) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Return whether a repeated apply has changed again what another manager has changed,
	 * and report it if it does not end.
	 */
	private boolean isContested(WriteTarget<?> target, String key, @Nullable KubernetesObject cached, byte[] answer) {
		FieldManagers managers;
		try {
			managers = FieldManagers.of(this.fieldManager, cached, new DynamicKubernetesObject(
					JsonParser.parseString(new String(answer, StandardCharsets.UTF_8)).getAsJsonObject()));
		}
		catch (RuntimeException ex) {
			// the object could be decoded, its managed fields cannot
			return false;
		}
		FieldContest.Round round = this.shared.applied.contested(key, managers, this.shared.factory.time().nanoTime());
		if (round != null && round.news()) {
			logger.warn(
					"Field manager '{}' has changed {} back {} times in a row, because {} changes the same fields; "
							+ "let only one of them set these fields",
					UntrustedText.of(this.fieldManager), target.describe(), round.number(),
					round.other().isEmpty() ? "another manager" : "manager '" + UntrustedText.of(round.other()) + "'");
		}
		return round != null;
	}

	/**
	 * Return whether a desired object has a status, other than one that its constructor
	 * has set.
	 * @throws IllegalArgumentException if that is known to be a subresource
	 */
	private boolean hasStatus(WriteTarget<?> target, Operation operation, KubernetesObject desired, JsonObject tree) {
		boolean status = hasOtherStatus(new JsonObject(), tree) && hasOtherStatus(ObjectTree.ofNew(desired), tree);
		if (status) {
			this.shared.requireStatusOf(target, operation);
		}
		return status;
	}

	@Override
	public <T extends KubernetesObject> T update(T object) throws ObjectWriteException {
		return replace(Operation.UPDATE, object);
	}

	@Override
	public <T extends KubernetesObject> T updateStatus(T object) throws ObjectWriteException {
		return replace(Operation.UPDATE_STATUS, object);
	}

	private <T extends KubernetesObject> T replace(Operation operation, T object) throws ObjectWriteException {
		WriteTarget.requireArgument(operation, "object", object);
		WriteTarget<T> target = target(operation, object, null);
		ObjectState state = ObjectState.of(object);
		if (state.resourceVersion() == null || !VERSION.matcher(state.resourceVersion()).matches()) {
			throw new IllegalArgumentException("Cannot " + target.describe(operation)
					+ ": it has no valid metadata.resourceVersion. Change a copy of the object as it was read.");
		}
		T cached = this.shared.cached(target);
		if (cached == object) {
			throw new IllegalArgumentException("Cannot " + target.describe(operation)
					+ ": it is the object of the cache, which must not be modified. Change a copy: ObjectCopy.of.");
		}
		JsonObject sent = tree(target, object);
		// the same version has the same contents, also in a cache that is old
		T known = (cached != null) ? cached : this.shared.cached(target, SharedIndexInformer::hasSynced);
		JsonObject before = (known != null && ObjectState.of(known).isSameAs(state)) ? tree(target, known) : null;
		boolean unchanged = cached != null && ValueType.equal(before, sent);
		boolean status = operation == Operation.UPDATE && !unchanged
				&& (before == null || hasOtherStatus(before, sent));
		if (status && before != null) {
			this.shared.requireStatusOf(target, operation);
		}
		if (operation == Operation.UPDATE_STATUS && before != null) {
			requireSameRest(target, before, sent);
		}
		return write(operation, target, () -> {
			if (unchanged) {
				return new Result<>(Outcome.UNCHANGED, ObjectCopy.of(Objects.requireNonNull(cached)));
			}
			Result<T> result = sent("PUT", operation, target, Map.of(), JSON, ObjectTree.bytes(sent), false);
			requireStored(target, operation, sent, status, result.object());
			if (operation == Operation.UPDATE_STATUS) {
				requireRestStored(target, before, sent, result.object());
			}
			return result;
		});
	}

	/**
	 * Require that an object has only another status than before.
	 */
	private static void requireSameRest(WriteTarget<?> target, JsonObject before, JsonObject sent) {
		String changed = MergePatch.difference(rest(sent), rest(before));
		if (changed != null) {
			throw new IllegalArgumentException(
					"Cannot " + target.describe(Operation.UPDATE_STATUS) + ": its " + UntrustedText.of(changed)
							+ " was changed, which the API server would ignore. Use update or patch for it.");
		}
	}

	/**
	 * Require that the server has not ignored a change of something else than the status.
	 * Some built-in resources accept labels or annotations. The version in the request
	 * makes sure that nobody else has changed the object.
	 */
	private static void requireRestStored(WriteTarget<?> target, @Nullable JsonObject before, JsonObject sent,
			KubernetesObject answer) throws ObjectWriteException {
		JsonObject stored = tree(target, answer);
		JsonObject labels = labels(sent);
		String lost = MergePatch.notStored((before != null) ? MergePatch.between(labels(before), labels) : labels,
				labels(stored), true);
		if (lost != null || before == null) {
			lost = (lost != null) ? "metadata." + lost : MergePatch.difference(rest(sent), rest(stored));
		}
		if (lost != null) {
			throw ObjectWriteException.notStored(target, Operation.UPDATE_STATUS, lost);
		}
	}

	/**
	 * Return what applications set in the metadata of an object.
	 */
	private static JsonObject labels(JsonObject tree) {
		JsonObject labels = new JsonObject();
		metadata(tree).asMap().forEach((name, value) -> {
			if (SET_METADATA.contains(name)) {
				labels.add(name, value);
			}
		});
		return labels;
	}

	/**
	 * Require that the server has stored what was sent. A status that is a subresource is
	 * ignored, and so are the properties that the definition of a custom resource does
	 * not have. What the server makes of the others is its own matter.
	 * @param status whether the status was changed
	 */
	private static <T extends KubernetesObject> void requireStored(WriteTarget<T> target, Operation operation,
			JsonObject sent, boolean status, T answer) throws ObjectWriteException {
		JsonObject stored = tree(target, answer);
		String lost = status ? MergePatch.notStored(status(sent), stored, true) : null;
		if (lost == null && !target.type().isBuiltIn()) {
			lost = MergePatch.notStored((operation == Operation.UPDATE_STATUS) ? status(sent) : rest(sent), stored,
					false);
		}
		if (lost != null) {
			throw ObjectWriteException.notStored(target, operation, lost);
		}
	}

	private static JsonObject rest(JsonObject tree) {
		JsonObject rest = tree.deepCopy();
		List.of("apiVersion", "kind", "metadata", STATUS).forEach(rest::remove);
		return rest;
	}

	private static boolean hasOtherStatus(JsonObject before, JsonObject after) {
		return MergePatch.notStored(status(after), status(before), true) != null
				|| MergePatch.notStored(status(before), status(after), true) != null;
	}

	/**
	 * Return an object without anything but the status, if it has one.
	 */
	private static JsonObject status(JsonObject tree) {
		JsonObject status = new JsonObject();
		if (tree.has(STATUS)) {
			status.add(STATUS, tree.get(STATUS));
		}
		return status;
	}

	@Override
	public <T extends KubernetesObject> T patch(T object, Consumer<T> change) throws ObjectWriteException {
		WriteTarget.requireArgument(Operation.PATCH, "object", object);
		WriteTarget.requireArgument(Operation.PATCH, "change", change);
		WriteTarget<T> target = target(Operation.PATCH, object, null);
		T copy = ObjectCopy.of(object);
		JsonObject before = tree(target, copy);
		change.accept(copy);
		JsonObject after = tree(target, copy);
		JsonObject patch = MergePatch.between(before, after);
		boolean status = hasOtherStatus(before, after);
		if (status) {
			this.shared.requireStatusOf(target, Operation.PATCH);
		}
		JsonObject sent = patch.deepCopy();
		boolean empty = patch.isEmpty();
		ObjectState state = ObjectState.of(object);
		boolean versioned = MergePatch.replacesList(patch, before);
		expect(patch, "uid", state.uid());
		expect(patch, "resourceVersion", versioned ? state.resourceVersion() : null);
		return write(Operation.PATCH, target, () -> {
			if (empty) {
				return new Result<>(Outcome.UNCHANGED, copy);
			}
			Result<T> result = sent("PATCH", Operation.PATCH, target, Map.of(), MERGE_PATCH, ObjectTree.bytes(patch),
					!versioned);
			requireStored(target, Operation.PATCH, sent, status, result.object());
			return result;
		});
	}

	private static void expect(JsonObject patch, String property, @Nullable String value) {
		if (value != null) {
			metadata(patch).addProperty(property, value);
		}
	}

	@Override
	public boolean delete(KubernetesObject object) throws ObjectWriteException {
		return delete(object, false);
	}

	@Override
	public boolean deleteUnchanged(KubernetesObject object) throws ObjectWriteException {
		return delete(object, true);
	}

	private boolean delete(KubernetesObject object, boolean unchanged) throws ObjectWriteException {
		WriteTarget.requireArgument(Operation.DELETE, "object", object);
		WriteTarget<KubernetesObject> target = target(Operation.DELETE, object, null);
		ObjectState state = ObjectState.of(object);
		if (state.uid() == null || (unchanged && state.resourceVersion() == null)) {
			throw new IllegalArgumentException("Cannot " + target.describe(Operation.DELETE)
					+ ": it has no UID or no version. Pass the object as it was read from the API server.");
		}
		JsonObject preconditions = new JsonObject();
		preconditions.addProperty("uid", state.uid());
		if (unchanged) {
			preconditions.addProperty("resourceVersion", state.resourceVersion());
		}
		JsonObject options = new JsonObject();
		options.addProperty("apiVersion", "v1");
		options.addProperty("kind", "DeleteOptions");
		// the default of some resources is to orphan what they own
		options.addProperty("propagationPolicy", "Background");
		options.add("preconditions", preconditions);
		Write<KubernetesObject> write = new Write<>(Operation.DELETE, target, () -> {
			try {
				byte[] answer = this.shared.send("DELETE", Operation.DELETE, target, Map.of(), JSON,
						ObjectTree.bytes(options), false);
				LISTENER.get().deleted(target.type(), object, answer);
				return new Result<>(Outcome.SUCCESS, object);
			}
			catch (ServerStatusException ex) {
				if (isGone(ex.status(), unchanged)) {
					return new Result<>(Outcome.UNCHANGED, object);
				}
				throw ex;
			}
		});
		return write.proceed() == Outcome.SUCCESS;
	}

	/**
	 * Return whether an answer says that the object is gone, or that another one has its
	 * name now. A webhook may refuse a deletion by a 409, too.
	 */
	private static boolean isGone(ServerStatus status, boolean unchanged) {
		return (status.code() == NOT_FOUND && !ObjectWriteException.isNotServed(status))
				|| (status.code() == CONFLICT && !unchanged && status.message().contains(OTHER_UID));
	}

	@SuppressWarnings("unchecked")
	private <T extends KubernetesObject> WriteTarget<T> target(Operation operation, T object,
			@Nullable KubernetesObject owner) throws ObjectWriteException {
		return WriteTarget.of(operation, (ResourceType<T>) this.shared.typeOf(object), object, owner);
	}

	/**
	 * Return the tree of an object with the type of its resource.
	 */
	private static JsonObject tree(WriteTarget<?> target, KubernetesObject object) {
		JsonObject tree = ValueType.jsonOf(object).getAsJsonObject();
		tree.addProperty("apiVersion", target.type().apiVersion());
		tree.addProperty("kind", target.type().kind());
		// an apply with them is refused, an update with an empty list resets them
		metadata(tree).remove("managedFields");
		return tree;
	}

	private JsonObject desiredTree(WriteTarget<?> target, KubernetesObject desired, @Nullable KubernetesObject owner)
			throws ObjectWriteException {
		JsonObject tree = tree(target, desired);
		JsonObject metadata = metadata(tree);
		if (target.namespace() != null) {
			metadata.addProperty("namespace", target.namespace());
		}
		if (owner != null) {
			JsonObject reference = target.ownerReference(owner, this.shared.typeOf(owner));
			JsonArray references = new JsonArray();
			if (metadata.get("ownerReferences") instanceof JsonArray others) {
				others.forEach((other) -> {
					if (!(other instanceof JsonObject known && reference.get("uid").equals(known.get("uid")))) {
						references.add(other);
					}
				});
			}
			references.add(reference);
			metadata.add("ownerReferences", references);
		}
		return tree;
	}

	private static JsonObject metadata(JsonObject tree) {
		JsonElement metadata = tree.get("metadata");
		if (!(metadata instanceof JsonObject)) {
			metadata = new JsonObject();
			tree.add("metadata", metadata);
		}
		return metadata.getAsJsonObject();
	}

	private <T extends KubernetesObject> Result<T> sent(String method, Operation operation, WriteTarget<T> target,
			Map<String, String> parameters, String contentType, byte[] body, boolean repeatable)
			throws IOException, ObjectWriteException {
		return read(operation, target, send(method, operation, target, parameters, contentType, body, repeatable));
	}

	private byte[] send(String method, Operation operation, WriteTarget<?> target, Map<String, String> parameters,
			String contentType, byte[] body, boolean repeatable) throws IOException {
		Map<String, String> query = new LinkedHashMap<>(parameters);
		query.put("fieldManager", this.fieldManager);
		return this.shared.send(method, operation, target, query, contentType, body, repeatable);
	}

	private <T extends KubernetesObject> Result<T> read(Operation operation, WriteTarget<T> target, byte[] answer)
			throws ObjectWriteException {
		try {
			T object = this.shared.format(target.type()).readObject(new ByteArrayInputStream(answer));
			LISTENER.get().written(operation, target.type(), object);
			return new Result<>(Outcome.SUCCESS, object);
		}
		catch (IOException ex) {
			LISTENER.get().unanswered(target.type(), target.state());
			throw ObjectWriteException.ofAnswer(target, operation, ex);
		}
	}

	private <T extends KubernetesObject> T write(Operation operation, WriteTarget<T> target, Request<T> request)
			throws ObjectWriteException {
		// refuses a class of which no answer could be read
		this.shared.format(target.type());
		Write<T> write = new Write<>(operation, target, request);
		write.proceed();
		return Objects.requireNonNull(write.result).object();
	}

	/**
	 * What the writers of a factory share.
	 */
	private static final class Shared {

		/** Maximum number of applied objects, of 400 bytes each, that are remembered. */
		private static final int MAX_APPLIED = 100_000;

		/** Maximum number of resources of untyped objects that are remembered. */
		private static final int MAX_TYPES = 1_000;

		private final InformerFactory factory;

		private final List<WriteInterceptor> interceptors;

		private final AppliedObjects applied = new AppliedObjects(MAX_APPLIED);

		/** By API version and kind. */
		private final Map<String, ResourceType<DynamicKubernetesObject>> discovered = new ConcurrentHashMap<>();

		/** Resources whose status is no subresource. */
		private final Set<ResourceType<?>> typesWithStatus = ConcurrentHashMap.newKeySet();

		private final Map<ResourceType<?>, JsonWireFormat<?>> formats = new ConcurrentHashMap<>();

		Shared(InformerFactory factory, List<WriteInterceptor> interceptors) {
			this.factory = factory;
			this.interceptors = interceptors;
		}

		byte[] send(String method, Operation operation, WriteTarget<?> target, Map<String, String> query,
				String contentType, byte[] body, boolean repeatable) throws IOException {
			LISTENER.get().sending(target.type(), target.state(), body);
			try {
				return this.factory.connection()
					.send(method, target.path(operation), query, contentType, body, repeatable, TIMEOUT);
			}
			// an interceptor of the application may throw anything, after the answer, too
			catch (IOException | RuntimeException | Error ex) {
				if (!(ex instanceof ServerStatusException refusal) || isUnknown(refusal.status().code())) {
					LISTENER.get().unanswered(target.type(), target.state());
				}
				throw ex;
			}
		}

		/**
		 * Return whether an answer leaves open if the server carries out the request. A
		 * gateway sends a 408 for a request that it has passed on.
		 */
		private static boolean isUnknown(int code) {
			return code >= SERVER_ERROR || code == REQUEST_TIMEOUT;
		}

		/**
		 * Return the object as it is on the server now; {@code null} if there is none.
		 */
		@Nullable KubernetesObject find(WriteTarget<?> target) throws IOException {
			JsonObject found = this.factory.connection()
				.find(target.type(), target.namespace(), Objects.requireNonNull(target.name()), Map.of(), TIMEOUT);
			return (found != null) ? new DynamicKubernetesObject(found) : null;
		}

		ResourceType<?> typeOf(KubernetesObject object) throws ObjectWriteException {
			if (object instanceof PartialObjectMetadata) {
				throw new IllegalArgumentException("Cannot write an object of " + PartialObjectMetadata.class.getName()
						+ ", or make it an owner: it does not name its resource. Pass an object of the class of the "
						+ "resource, or a DynamicKubernetesObject.");
			}
			if (!(object instanceof DynamicKubernetesObject dynamic)) {
				return ResourceType.of(object.getClass());
			}
			String apiVersion = ObjectTree.text(dynamic, "apiVersion");
			String kind = ObjectTree.text(dynamic, "kind");
			if (apiVersion.isEmpty() || kind.isEmpty()) {
				throw new IllegalArgumentException(
						"Cannot write an untyped object without apiVersion and kind. Set both, such as v1 and ConfigMap.");
			}
			String key = apiVersion + " " + kind;
			ResourceType<DynamicKubernetesObject> known = this.discovered.get(key);
			if (known == null) {
				known = discover(apiVersion, kind);
				if (this.discovered.size() < MAX_TYPES) {
					this.discovered.put(key, known);
				}
			}
			return known;
		}

		/**
		 * Require that the status of an object is a part of it, as far as that is known.
		 * @throws IllegalArgumentException if it is a subresource
		 */
		void requireStatusOf(WriteTarget<?> target, Operation operation) {
			ResourceType<?> type = target.type();
			boolean created = operation == Operation.CREATE || operation == Operation.APPLY;
			// a kubelet creates its node with the status
			if (this.typesWithStatus.contains(type) || (created && type.qualifiedName().equals("nodes"))) {
				return;
			}
			boolean subresource = target.type().isBuiltIn();
			if (!subresource) {
				try {
					subresource = new ResourceDiscovery(this.factory.connection()).hasSubresource(type, STATUS);
				}
				catch (IOException ex) {
					// the answer to the write is compared
					return;
				}
			}
			if (subresource) {
				throw new IllegalArgumentException("Cannot " + target.describe(operation)
						+ (created
								? ": it has a status, which the API server would ignore. "
										+ ObjectWriteException.NO_STATUS
								: ": its status was changed, which the API server would ignore. Use updateStatus."));
			}
			if (this.typesWithStatus.size() < MAX_TYPES) {
				this.typesWithStatus.add(type);
			}
		}

		/**
		 * Create the failure of a request, which asks discovery after a 404 of a path.
		 */
		ObjectWriteException failure(WriteTarget<?> target, Operation operation, IOException cause) {
			boolean notServed = !target.type().isBuiltIn() && cause instanceof ServerStatusException refusal
					&& refusal.status().code() == NOT_FOUND && ObjectWriteException.isNotServed(refusal.status());
			Optional<FailureReason> scope = notServed
					? new ResourceDiscovery(this.factory.connection()).scopeFailure(target.type()) : Optional.empty();
			return scope.map((reason) -> ObjectWriteException.ofScope(target, operation, cause, reason))
				.orElseGet(() -> ObjectWriteException.of(target, operation, cause));
		}

		private ResourceType<DynamicKubernetesObject> discover(String apiVersion, String kind)
				throws ObjectWriteException {
			try {
				return new ResourceDiscovery(this.factory.connection()).find(apiVersion, kind);
			}
			catch (IOException ex) {
				throw ObjectWriteException.ofDiscovery(apiVersion, kind, ex);
			}
		}

		@SuppressWarnings("unchecked")
		<T extends KubernetesObject> JsonWireFormat<T> format(ResourceType<T> type) {
			return (JsonWireFormat<T>) this.formats.computeIfAbsent(type,
					(any) -> JsonWireFormat.of(type.type(), type.apiVersion(), type.kind()));
		}

		/**
		 * Return the object in the cache of an informer that follows the server;
		 * {@code null} if there is none. Another cache may be old for any time.
		 */
		<T extends KubernetesObject> @Nullable T cached(WriteTarget<T> target) {
			return cached(target, Shared::isFollowing);
		}

		/**
		 * Return the object in the cache of an informer.
		 */
		<T extends KubernetesObject> @Nullable T cached(WriteTarget<T> target,
				Predicate<SharedIndexInformer<?>> condition) {
			String key = ObjectKey.of(target.namespace(), Objects.requireNonNull(target.name()));
			for (SharedIndexInformer<?> informer : this.factory.informers()) {
				KubernetesObject cached = (isOf(informer, target) && condition.test(informer))
						? FollowedCache.of(informer).find(key) : null;
				if (cached != null) {
					return target.type().type().cast(cached);
				}
			}
			return null;
		}

		private static boolean isOf(SharedIndexInformer<?> informer, WriteTarget<?> target) {
			ResourceType<?> type = informer.resourceType();
			return type.type() == target.type().type() && type.plural().equals(target.type().plural())
					&& type.group().equals(target.type().group())
					&& (type.version().isEmpty() || type.version().equals(target.type().version()));
		}

		private static boolean isFollowing(SharedIndexInformer<?> informer) {
			return informer.hasSynced() && FollowedCache.of(informer).isFollowing();
		}

		/**
		 * Return the epoch of the informers of a resource, each of which only grows.
		 */
		long epoch(WriteTarget<?> target) {
			return this.factory.informers()
				.stream()
				.filter((informer) -> isOf(informer, target))
				.mapToLong((informer) -> FollowedCache.of(informer).epoch())
				.sum();
		}

	}

	/**
	 * Write of one object, which passes through the interceptors.
	 */
	private final class Write<T extends KubernetesObject> implements ObjectWrite {

		private final Operation operation;

		private final WriteTarget<T> target;

		private final Request<T> request;

		private final Iterator<WriteInterceptor> interceptors = DefaultObjectWriter.this.shared.interceptors.iterator();

		private @Nullable Result<T> result;

		private boolean begun;

		Write(Operation operation, WriteTarget<T> target, Request<T> request) {
			this.operation = operation;
			this.target = target;
			this.request = request;
		}

		@Override
		public Operation operation() {
			return this.operation;
		}

		@Override
		public ResourceType<?> resourceType() {
			return this.target.type();
		}

		@Override
		public @Nullable String namespace() {
			return this.target.namespace();
		}

		@Override
		public @Nullable String name() {
			return this.target.name();
		}

		@Override
		public Outcome proceed() throws ObjectWriteException {
			if (this.interceptors.hasNext()) {
				WriteInterceptor interceptor = this.interceptors.next();
				interceptor.intercept(this);
				if (this.result == null) {
					throw new IllegalStateException(interceptor.getClass().getName()
							+ " did not proceed, or has suppressed the failure of the request.");
				}
				return this.result.outcome();
			}
			if (this.begun) {
				throw new IllegalStateException("A write proceeds once");
			}
			this.begun = true;
			try {
				this.result = this.request.send();
				return this.result.outcome();
			}
			catch (IOException ex) {
				throw DefaultObjectWriter.this.shared.failure(this.target, this.operation, ex);
			}
		}

	}

	/**
	 * Request of a write, which is not sent if it changes nothing.
	 */
	@FunctionalInterface
	private interface Request<T extends KubernetesObject> {

		Result<T> send() throws IOException, ObjectWriteException;

	}

	/**
	 * Result of a write.
	 */
	private record Result<T extends KubernetesObject>(Outcome outcome, T object) {
	}

}
