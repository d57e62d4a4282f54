/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.test.store;

import java.util.ArrayList;
import java.util.List;

import dev.informer.test.ResourceDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Reader of list pages at the requested version of the store.
 */
public final class PageReader {

	private static final String LIST_TOO_OLD = "The resourceVersion for the provided list is too old.";

	private static final String CONTINUE_TOO_OLD = "The provided continue parameter is too old to display a "
			+ "consistent list result. You can start a new list without the continue parameter, or use the continue "
			+ "token in this response to retrieve the remainder of the results. Continuing with the provided token "
			+ "results in an inconsistent list - objects that were created, modified, or deleted between the time "
			+ "the first chunk was returned and now may show up in the list.";

	private final Store store;

	public PageReader(Store store) {
		this.store = store;
	}

	public Page read(ResourceDefinition definition, String namespace, ListOptions options) {
		options.checkList();
		String prefix = namespace.isEmpty() ? "" : namespace + "/";
		if (options.continueToken().isEmpty()) {
			Snapshot snapshot = snapshot(definition, namespace, options);
			long limit = options.fromCache() ? 0 : options.limit();
			return page(snapshot, options, prefix, "", limit);
		}
		if (!options.resourceVersion().isEmpty() && !options.fromCache()) {
			throw StatusErrors.badRequest("specifying resource version is not allowed when using continue");
		}
		ContinueToken token = ContinueToken.decode(options.continueToken());
		return page(snapshot(definition, namespace, token), options, prefix, prefix + token.after(), options.limit());
	}

	private Snapshot snapshot(ResourceDefinition definition, String namespace, ListOptions options) {
		long version = options.resourceVersion().isEmpty() ? 0 : version(options.resourceVersion());
		return this.store.locked(() -> {
			long current = this.store.resourceVersion();
			checkNotTooLarge(version, current);
			ResourceStore resource = this.store.resource(definition);
			if (!options.exact()) {
				return new Snapshot(resource.objects(namespace), current);
			}
			if (version < resource.changes().floor()) {
				throw StatusErrors.expired(LIST_TOO_OLD, null);
			}
			return new Snapshot(resource.objects(namespace, version), version);
		});
	}

	private Snapshot snapshot(ResourceDefinition definition, String namespace, ContinueToken token) {
		return this.store.locked(() -> {
			long current = this.store.resourceVersion();
			ResourceStore resource = this.store.resource(definition);
			if (token.resourceVersion() == -1) {
				return new Snapshot(resource.objects(namespace), current);
			}
			checkNotTooLarge(token.resourceVersion(), current);
			if (token.resourceVersion() < resource.changes().floor()) {
				throw StatusErrors.expired(CONTINUE_TOO_OLD, new ContinueToken(-1, token.after()).encode());
			}
			return new Snapshot(resource.objects(namespace, token.resourceVersion()), token.resourceVersion());
		});
	}

	private static Page page(Snapshot snapshot, ListOptions options, String prefix, String after, long limit) {
		List<StoredObject> objects = snapshot.objects();
		List<StoredObject> page = new ArrayList<>();
		int index = 0;
		while (index < objects.size() && objects.get(index).key().path().compareTo(after) <= 0) {
			index++;
		}
		for (; index < objects.size() && (limit == 0 || page.size() < limit); index++) {
			if (options.selector().matches(objects.get(index))) {
				page.add(objects.get(index));
			}
		}
		if (index == objects.size()) {
			return new Page(page, snapshot.resourceVersion(), "", null);
		}
		String last = objects.get(index - 1).key().path().substring(prefix.length());
		String token = new ContinueToken(snapshot.resourceVersion(), last).encode();
		Long remaining = options.filtered() ? null : (long) objects.size() - index;
		return new Page(page, snapshot.resourceVersion(), token, remaining);
	}

	private static long version(String resourceVersion) {
		try {
			return ListOptions.parseVersion(resourceVersion);
		}
		catch (NumberFormatException ex) {
			throw StatusErrors.badRequest("invalid resource version: " + ex.getMessage());
		}
	}

	private static void checkNotTooLarge(long requested, long current) {
		if (requested > current) {
			throw StatusErrors.tooLarge(requested, current);
		}
	}

	private record Snapshot(List<StoredObject> objects, long resourceVersion) {
	}

	/**
	 * Page of a list.
	 *
	 * @param objects the objects
	 * @param resourceVersion the version of the list
	 * @param continueToken the token for the next page, empty on the last page
	 * @param remaining the number of remaining objects, {@code null} if unknown
	 */
	public record Page(List<StoredObject> objects, long resourceVersion, String continueToken,
			@Nullable Long remaining) {
	}

}
